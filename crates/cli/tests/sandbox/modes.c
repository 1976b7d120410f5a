/* Makes setuid and setgid files and sets attributes in every way, as a build command. Ends with 1 if one of them works. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

static int worked;

static void look(const char *how, const char *file) {
    struct stat data;
    char value[8];
    int found = stat(file, &data) == 0 && (data.st_mode & 06000);
    if (found || getxattr(file, "user.plyhouse", value, sizeof value) >= 0) {
        printf("%s works: mode %o\n", how, data.st_mode);
        worked = 1;
    }
    rmdir(file);
    unlink(file);
}

static int plain(const char *file) { return open(file, O_CREAT | O_RDWR, 0755); }

static void each(mode_t mode) {
    close(plain("chmod")); chmod("chmod", mode); look("chmod", "chmod");
    fchmod(plain("fchmod"), mode); look("fchmod", "fchmod");
    close(plain("at")); fchmodat(AT_FDCWD, "at", mode, 0); look("fchmodat", "at");
    close(plain("at2")); syscall(452, AT_FDCWD, "at2", mode, 0); look("fchmodat2", "at2");
    close(open("open", O_CREAT | O_RDWR, mode)); look("open", "open");
#ifdef SYS_open
    close((int)syscall(SYS_open, "old", O_CREAT | O_RDWR, mode)); look("old open", "old");
    close((int)syscall(SYS_creat, "creat", mode)); look("creat", "creat");
    syscall(SYS_mknod, "mknod", S_IFREG | mode, 0); look("mknod", "mknod");
    close(plain("x32")); syscall(SYS_chmod | 0x40000000, "x32", mode); look("chmod of x32", "x32");
#endif
    mknodat(AT_FDCWD, "mknodat", S_IFREG | mode, 0); look("mknodat", "mknodat");
    int nameless = open(".", O_TMPFILE | O_RDWR, mode);
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", nameless);
    if (nameless >= 0) linkat(AT_FDCWD, path, AT_FDCWD, "nameless", AT_SYMLINK_FOLLOW);
    look("nameless file", "nameless");
    mkdir("folder", mode); chmod("folder", mode); look("folder", "folder");
    close(plain("attribute"));
    setxattr("attribute", "user.plyhouse", "x", 1, 0);
    look("attribute", "attribute");
}

int main(void) {
    umask(0);
    each(04755);
    each(02755);
    each(06777);
    /* Ordinary permissions can be set. */
    close(plain("program"));
    if (chmod("program", 0750) != 0) { perror("chmod 0750"); return 2; }
    return worked;
}
