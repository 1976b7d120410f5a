/* Starts processes that fork and exit continuously, so that their process IDs are always out of date.
   They stop after a time limit. The program itself executes the agent in its arguments.
   Usage: comet AGENT ARGUMENTS… */
#include <time.h>
#include <unistd.h>

static void keep_forking(time_t end) {
    for (int generation = 0; generation < 2000000 && time(NULL) < end; generation++) {
        pid_t child = fork();
        /* The parent exits and the child continues. If fork fails, the parent tries again. */
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
            keep_forking(end);
        }
    execv(words[1], words + 1);
    return 6;
}
