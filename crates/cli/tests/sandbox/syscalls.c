/* Tries system calls that safe Rust cannot make. Each is tried in a separate process, because a filter may kill the
   process, and each result is a line on standard error. Then the program executes the agent in its arguments.
   Usage: syscalls PORT AGENT ARGUMENTS… */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/io_uring.h>
#include <linux/keyctl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int port;

static int type_into_terminal(void) {
    char letter = 'x';
    int terminal = open("/dev/tty", O_RDWR);
    for (int fd = 0; fd < 3; fd++)
        if (ioctl(fd, TIOCSTI, &letter) == 0) return 0;
    return terminal < 0 ? -1 : ioctl(terminal, TIOCSTI, &letter);
}

static int ring(void) {
    struct io_uring_params parameters = {0};
    return (int)syscall(SYS_io_uring_setup, 4, &parameters);
}

static int keyring(void) {
    return (int)syscall(SYS_add_key, "user", "plyhouse-range", "x", 1, KEY_SPEC_USER_KEYRING);
}

static int session_keyring(void) {
    return (int)syscall(SYS_keyctl, KEYCTL_READ, KEY_SPEC_SESSION_KEYRING, NULL, 0);
}

static int bpf(void) {
    union bpf_attr map = {.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1};
    return (int)syscall(SYS_bpf, BPF_MAP_CREATE, &map, sizeof map);
}

static int performance(void) {
    struct perf_event_attr event = {.type = PERF_TYPE_SOFTWARE, .size = sizeof event, .exclude_kernel = 1};
    return (int)syscall(SYS_perf_event_open, &event, 0, -1, -1, 0);
}

static int page_faults(void) { return (int)syscall(SYS_userfaultfd, O_CLOEXEC); }

/* The key is the port, so that the test can find the entries. */
static int shared_memory(void) { return shmget(port, 4096, IPC_CREAT | 0600); }
static int message_queue(void) { return msgget(port, IPC_CREAT | 0600); }

static int handle(void) {
    struct { struct file_handle head; char rest[128]; } name = {.head = {.handle_bytes = 128}};
    int mount;
    if (name_to_handle_at(AT_FDCWD, "/", &name.head, &mount, 0) < 0) return -1;
    return open_by_handle_at(AT_FDCWD, &name.head, O_RDONLY);
}

/* Copies a descriptor of the parent process. */
static int take_descriptor(void) {
    int parent = (int)syscall(SYS_pidfd_open, getppid(), 0);
    /* The parent of this process is the agent itself, and the agent's parent is its supervisor. */
    char path[64], line[512] = {0};
    snprintf(path, sizeof path, "/proc/%d/stat", getppid());
    FILE *file = fopen(path, "r");
    if (file && fgets(line, sizeof line, file)) {
        char *end = strrchr(line, ')');
        int above = 0;
        char state;
        if (end && sscanf(end + 1, " %c %d", &state, &above) == 2 && above > 0)
            parent = (int)syscall(SYS_pidfd_open, above, 0);
    }
    if (parent < 0) return -1;
    for (int fd = 3; fd < 64; fd++)
        if (syscall(SYS_pidfd_getfd, parent, fd, 0) >= 0) return 0;
    return -1;
}

static int new_user(void) { return unshare(CLONE_NEWUSER); }
static int new_network(void) { return unshare(CLONE_NEWUSER | CLONE_NEWNET); }
static int deadline(void) {
    struct { unsigned size, policy; unsigned long long flags; int nice; unsigned priority; unsigned long long a, b, c; }
        attributes = {sizeof attributes, 6, 0, 0, 0, 10000000, 30000000, 30000000};
    return (int)syscall(SYS_sched_setattr, 0, &attributes, 0);
}
/* Sets the current niceness for all processes of the user: only the permission matters. */
static int slow_user(void) { return setpriority(PRIO_USER, 0, getpriority(PRIO_PROCESS, 0)); }
static int slow_user_disk(void) { return (int)syscall(SYS_ioprio_set, 3, 0, syscall(SYS_ioprio_get, 1, 0)); }
/* A semaphore that does not exist: EINVAL means that the kernel executed the call. */
static int semaphores(void) { return semctl(1 << 30, 0, GETVAL) < 0 && errno == EINVAL ? 0 : -1; }

/* Memory for page tables only, which the usual counts do not include: one table page per 2 MiB touched. */
static int deep_tables(void) {
    size_t touched = 0;
    for (int block = 0; block < 256; block++) {
        volatile char *memory = mmap(NULL, (size_t)8 << 30, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) return -1;
        for (size_t at = 0; at < (size_t)8 << 30; at += 2 << 20) touched += 4096 + (size_t)memory[at];
    }
    usleep(300000);
    return touched > 0 ? 0 : -1;
}

static int priority(void) { return setpriority(PRIO_PROCESS, 0, -5); }
static int tracing_filter(void) { return (int)syscall(SYS_seccomp, 1, 8 /* new listener */, NULL) < 0 && errno == EFAULT ? 0 : -1; }
static int locked_memory(void) {
    char *big = malloc(64 << 20);
    return big ? (int)syscall(SYS_mlock, big, 64 << 20) : -1;
}
/* A lease on a file blocks every process that opens it. The libraries belong to root, who may run this program. */
static int lease(void) {
    const char *files[] = {"/proc/self/exe", "agent.toml", "/etc/ld.so.cache", "/lib64/ld-linux-x86-64.so.2"};
    int refused = EACCES;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        int file = open(files[i], O_RDONLY);
        if (file < 0) continue;
        if (fcntl(file, F_SETLEASE, F_RDLCK) == 0 || fcntl(file, F_SETLEASE, F_WRLCK) == 0) {
            fcntl(file, F_SETLEASE, F_UNLCK);
            return 0;
        }
        refused = errno;
    }
    errno = refused;
    return -1;
}
static int notify(void) { return fcntl(open(".", O_RDONLY), F_NOTIFY, DN_CREATE); }
static int signal_owner(void) {
    struct f_owner_ex owner = {F_OWNER_PID, getppid()};
    int pid = getppid();
    if (fcntl(0, F_SETOWN, getppid()) == 0 || fcntl(0, F_SETOWN_EX, &owner) == 0) return 0;
    return fcntl(0, F_SETSIG, SIGKILL) == 0 ? 0 : ioctl(0, FIOSETOWN, &pid);
}
static int system_log(void) { char text[16]; return (int)syscall(SYS_syslog, 3, text, sizeof text); }
static int socket_as_usual(void) { return socket(AF_INET, SOCK_STREAM, 0); }

#ifdef __x86_64__
/* Calls by the numbers of 32-bit programs, which an incomplete filter does not cover. */
static int old_socket(void) {
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(359), "b"(AF_INET), "c"(SOCK_STREAM), "d"(0) : "memory");
    if (result < 0) errno = (int)-result;
    return result < 0 ? -1 : 0;
}
static int x32_socket(void) { return (int)syscall(0x40000000 | SYS_socket, AF_INET, SOCK_STREAM, 0); }
#endif

static void try(const char *name, int (*attempt)(void)) {
    int pipes[2], error = -1, status = 0;
    if (pipe(pipes) < 0) exit(4);
    pid_t child = fork();
    if (child == 0) {
        error = attempt() >= 0 ? 0 : errno;
        if (write(pipes[1], &error, sizeof error) < 0) _exit(5);
        _exit(0);
    }
    close(pipes[1]);
    int reported = child > 0 && read(pipes[0], &error, sizeof error) == sizeof error;
    close(pipes[0]);
    if (child > 0) waitpid(child, &status, 0);
    if (!reported) dprintf(2, "attack %s: refused — killed by signal %d\n", name, WTERMSIG(status));
    else if (error) dprintf(2, "attack %s: refused — %s\n", name, strerror(error));
    else dprintf(2, "attack %s: succeeded — the call works\n", name);
}

int main(int count, char **words) {
    if (count < 3) return 3;
    port = atoi(words[1]);
    try("type-into-terminal", type_into_terminal);
    try("io-uring", ring);
    try("keyring", keyring);
    try("session-keyring", session_keyring);
    try("bpf", bpf);
    try("perf", performance);
    try("userfaultfd", page_faults);
    try("sysv-memory", shared_memory);
    try("sysv-queue", message_queue);
    try("open-by-handle", handle);
    try("take-descriptor", take_descriptor);
    try("new-user", new_user);
    try("new-network", new_network);
    try("deadline", deadline);
    try("slow-user", slow_user);
    try("slow-user-disk", slow_user_disk);
    try("semaphores-of-others", semaphores);
    try("priority", priority);
    try("seccomp-listener", tracing_filter);
    try("locked-memory", locked_memory);
    try("lease", lease);
    try("notify", notify);
    try("signal-owner", signal_owner);
    try("system-log", system_log);
    try("socket", socket_as_usual);
#ifdef __x86_64__
    try("socket-by-int80", old_socket);
    try("socket-by-x32", x32_socket);
#endif
    /* The last one, because a limit may kill all processes here. */
    try("deep-tables", deep_tables);
    execv(words[2], words + 2);
    return 6;
}
