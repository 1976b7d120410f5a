/* Starts processes that are never the same for long: each makes a copy of itself and ends, so that whoever looks for it
   finds a process that has ended already. Bounded by time. Then the program becomes the agent that its arguments name.
   Usage: comet AGENT ARGUMENTS… */
#include <time.h>
#include <unistd.h>

static void fly(time_t end) {
    for (int generation = 0; generation < 2000000 && time(NULL) < end; generation++) {
        pid_t child = fork();
        /* The parent ends; the child goes on. If there can be no child, the parent tries again. */
        if (child > 0) _exit(0);
    }
    _exit(0);
}

int main(int count, char **words) {
    if (count < 2) return 3;
    time_t end = time(NULL) + 15;
    for (int comet = 0; comet < 3; comet++)
        if (fork() == 0) {
            setsid();
            for (int fd = 0; fd < 3; fd++) close(fd);
            fly(end);
        }
    execv(words[1], words + 1);
    return 6;
}
