/* A build command that tries every way to create setuid and setgid files and to set extended attributes. Exits with 1
   if one of them works. */
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

static void check(const char *how, const char *file) {
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
    close(plain("chmod")); chmod("chmod", mode); check("chmod", "chmod");
    fchmod(plain("fchmod"), mode); check("fchmod", "fchmod");
    close(plain("at")); fchmodat(AT_FDCWD, "at", mode, 0); check("fchmodat", "at");
    close(plain("at2")); syscall(452, AT_FDCWD, "at2", mode, 0); check("fchmodat2", "at2");
    close(open("open", O_CREAT | O_RDWR, mode)); check("open", "open");
#ifdef SYS_open
    close((int)syscall(SYS_open, "old", O_CREAT | O_RDWR, mode)); check("old open", "old");
    close((int)syscall(SYS_creat, "creat", mode)); check("creat", "creat");
    syscall(SYS_mknod, "mknod", S_IFREG | mode, 0); check("mknod", "mknod");
    close(plain("x32")); syscall(SYS_chmod | 0x40000000, "x32", mode); check("chmod of x32", "x32");
#endif
    mknodat(AT_FDCWD, "mknodat", S_IFREG | mode, 0); check("mknodat", "mknodat");
    int nameless = open(".", O_TMPFILE | O_RDWR, mode);
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", nameless);
    if (nameless >= 0) linkat(AT_FDCWD, path, AT_FDCWD, "nameless", AT_SYMLINK_FOLLOW);
    check("nameless file", "nameless");
    mkdir("folder", mode); chmod("folder", mode); check("folder", "folder");
    close(plain("attribute"));
    setxattr("attribute", "user.plyhouse", "x", 1, 0);
    check("attribute", "attribute");
}

int main(void) {
    umask(0);
    each(04755);
    each(02755);
    each(06777);
    /* Setting ordinary permissions must work. */
    close(plain("program"));
    if (chmod("program", 0750) != 0) { perror("chmod 0750"); return 2; }
    return worked;
}
