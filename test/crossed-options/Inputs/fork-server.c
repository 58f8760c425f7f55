/* Preloaded into a program (LD_PRELOAD), runs its main() for each command line of a file, each in a
 * child: the program is loaded and linked once, so a run costs about a fork.
 *
 *   FORK_SERVER_RUNS     the file: arguments, each with a 0 behind it, behind the last of a run one
 * more FORK_SERVER_RESULTS  gets a line for each run: `exit <code> <bytes on stderr>` or `signal
 * <number>` FORK_SERVER_SECONDS  of the processor that a run may take; ten times that of the clock
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { max_arguments = 64 };

static int (*program_main)(int, char **, char **);

static void die(const char *what) {
  perror(what);
  _exit(125);
}

static char *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "r");
  struct stat status;
  if (!file || fstat(fileno(file), &status) != 0)
    die(path);
  char *bytes = malloc((size_t)status.st_size + 1);
  *size = fread(bytes, 1, (size_t)status.st_size, file);
  fclose(file);
  return bytes;
}

static int run(int argc, char **argv, char **environment, int errors, rlim_t seconds) {
  int nothing = open("/dev/null", O_RDWR);
  if (dup2(nothing, 0) < 0 || dup2(nothing, 1) < 0 || dup2(errors, 2) < 0)
    die("dup2");
  struct rlimit limit = {seconds, seconds};
  setrlimit(RLIMIT_CPU, &limit);
  alarm((unsigned)(10 * seconds));
  return program_main(argc, argv, environment);
}

static int serve(int argc, char **argv, char **environment) {
  size_t size;
  char *runs = read_file(getenv("FORK_SERVER_RUNS"), &size);
  FILE *results = fopen(getenv("FORK_SERVER_RESULTS"), "w");
  rlim_t seconds = (rlim_t)atoi(getenv("FORK_SERVER_SECONDS"));
  int errors = open("stderr", O_CREAT | O_TRUNC | O_RDWR | O_APPEND, 0644);
  if (!results || errors < 0 || seconds == 0)
    die("FORK_SERVER_RESULTS");
  (void)argc;
  /* For the children, and for what they start. */
  unsetenv("LD_PRELOAD");
  for (char *at = runs; at < runs + size;) {
    char *arguments[max_arguments + 1] = {argv[0]};
    int count = 1;
    for (; *at; at += strlen(at) + 1) {
      if (count == max_arguments)
        die("too many arguments");
      arguments[count++] = at;
    }
    ++at;
    if (ftruncate(errors, 0) != 0)
      die("ftruncate");
    pid_t child = fork();
    if (child < 0)
      die("fork");
    if (child == 0) {
      fclose(results);
      return run(count, arguments, environment, errors, seconds);
    }
    int ended;
    if (waitpid(child, &ended, 0) != child)
      die("waitpid");
    struct stat said;
    fstat(errors, &said);
    if (WIFSIGNALED(ended))
      fprintf(results, "signal %d\n", WTERMSIG(ended));
    else
      fprintf(results, "exit %d %lld\n", WEXITSTATUS(ended), (long long)said.st_size);
    fflush(results);
  }
  _exit(0);
}

/* Stands before the C library's, which starts main(). */
int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end) {
  int (*start)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
               void (*)(void), void *);
  *(void **)&start = dlsym(RTLD_NEXT, "__libc_start_main");
  program_main = main;
  return start(getenv("FORK_SERVER_RUNS") ? serve : main, argc, argv, init, fini, rtld_fini,
               stack_end);
}
