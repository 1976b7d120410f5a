/* Fills anonymous shared memory, and drops it from the memory counts of its own process. Then executes the agent in its
   arguments. Usage: shared AGENT ARGUMENTS... */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(int count, char **words) {
    const size_t size = 32 << 20;
    if (count < 2) return 3;
    for (int i = 0; i < 32; i++) {
        char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) break;
        memset(memory, 1, size);
        madvise(memory, size, MADV_DONTNEED);
        usleep(20000);
        if (i == 31) dprintf(2, "attack fill-memory-shared: succeeded — 1 GiB\n");
    }
    execv(words[1], words + 1);
    return 6;
}
