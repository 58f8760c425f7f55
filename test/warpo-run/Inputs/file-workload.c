// What programs do with files, by the functions of the C library: folders, files of many sizes,
// moves, links, times, listings. Says what it finds; the same wherever it runs. The folder is
// /work.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void check(const char *what, int failed) {
  if (failed)
    printf("%s: %s\n", what, strerror(errno));
}

static int compareNames(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

// All that lies in a folder, by names; returns how many bytes the files have.
static long list(const char *folder, int depth) {
  DIR *dir = opendir(folder);
  if (!dir) {
    printf("%s: %s\n", folder, strerror(errno));
    return 0;
  }
  static char *all[8][300];
  char **names = all[depth];
  size_t count = 0;
  for (struct dirent *entry; (entry = readdir(dir)) && count < 300;)
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
      names[count++] = strdup(entry->d_name);
  closedir(dir);
  qsort(names, count, sizeof *names, compareNames);
  long bytes = 0;
  for (size_t i = 0; i < count; ++i) {
    char path[300], target[300] = "";
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    struct stat status;
    check(path, lstat(path, &status));
    if (S_ISLNK(status.st_mode))
      check(path, readlink(path, target, sizeof target - 1) < 0);
    if (count < 20)
      printf("%*s%s %s %ld %s\n", depth * 2, "", names[i],
             S_ISDIR(status.st_mode)   ? "folder"
             : S_ISLNK(status.st_mode) ? "link"
                                       : "file",
             S_ISREG(status.st_mode) ? (long)status.st_size : 0L, target);
    bytes += S_ISDIR(status.st_mode)   ? list(path, depth + 1)
             : S_ISREG(status.st_mode) ? (long)status.st_size
                                       : 0;
    free(names[i]);
  }
  if (count >= 20)
    printf("%*s%zu entries\n", depth * 2, "", count);
  return bytes;
}

static uint32_t checksum(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return 0;
  uint32_t sum = 0;
  for (int c; (c = fgetc(file)) != EOF;)
    sum = sum * 31 + (uint32_t)c;
  fclose(file);
  return sum;
}

static void writeFiles(void) {
  for (int i = 0; i < 200; ++i) {
    char path[64];
    snprintf(path, sizeof path, "/work/many/file-%03d.txt", i);
    FILE *file = fopen(path, "w");
    if (!file) {
      check(path, 1);
      return;
    }
    for (int j = 0; j < i * 7; ++j)
      fprintf(file, "%d,", j);
    fclose(file);
  }
}

// Reads, writes and moves about in one file.
static void useOneFile(void) {
  int fd = open("/work/one.bin", O_RDWR | O_CREAT | O_TRUNC, 0666);
  check("open", fd < 0);
  char block[1000];
  memset(block, 'a', sizeof block);
  check("write", write(fd, block, sizeof block) != sizeof block);
  check("pwrite", pwrite(fd, "middle", 6, 500) != 6);
  check("lseek", lseek(fd, 2000, SEEK_SET) != 2000);
  check("write at the end", write(fd, "end", 3) != 3);
  check("pread", pread(fd, block, 10, 498) != 10);
  printf("%.10s, %ld bytes\n", block, (long)lseek(fd, 0, SEEK_END));
  check("ftruncate", ftruncate(fd, 1500));
  check("fallocate", posix_fallocate(fd, 0, 3000));
  check("fsync", fsync(fd));
  check("fdatasync", fdatasync(fd));
  struct timespec times[2] = {{1000000000, 0}, {1200000000, 0}};
  check("futimens", futimens(fd, times));
  struct stat status;
  check("fstat", fstat(fd, &status));
  printf("%ld bytes, modified at %ld\n", (long)status.st_size, (long)status.st_mtim.tv_sec);
  close(fd);
  fd = open("/work/one.bin", O_WRONLY | O_APPEND);
  printf("appends: %d\n", (fcntl(fd, F_GETFL) & O_APPEND) != 0);
  check("append", write(fd, "tail", 4) != 4);
  close(fd);
  printf("sum %u\n", (unsigned)checksum("/work/one.bin"));
}

static void moveAndLink(void) {
  check("mkdir", mkdir("/work/tree", 0777));
  check("mkdir", mkdir("/work/tree/inner", 0777));
  check("rename", rename("/work/many/file-100.txt", "/work/tree/inner/hundred.txt"));
  check("rename a folder", rename("/work/tree/inner", "/work/tree/moved"));
  check("rename over", rename("/work/many/file-101.txt", "/work/many/file-102.txt"));
  check("link", link("/work/tree/moved/hundred.txt", "/work/tree/same.txt"));
  check("symlink", symlink("moved/hundred.txt", "/work/tree/soft.txt"));
  check("symlink up", symlink("../../many/file-003.txt", "/work/tree/moved/up.txt"));
  check("symlink to a folder", symlink("tree/moved", "/work/short"));
  struct stat one, two;
  check("stat", stat("/work/tree/soft.txt", &one));
  check("stat", stat("/work/tree/same.txt", &two));
  printf("same file: %d, %d names\n", one.st_ino == two.st_ino, (int)two.st_nlink);
  printf("sums %u %u %u\n", (unsigned)checksum("/work/tree/soft.txt"),
         (unsigned)checksum("/work/short/hundred.txt"), (unsigned)checksum("/work/short/up.txt"));
}

static void removeThings(void) {
  for (int i = 0; i < 200; i += 2) {
    char path[64];
    snprintf(path, sizeof path, "/work/many/file-%03d.txt", i);
    check(path, unlink(path));
  }
  check("unlink a link", unlink("/work/short"));
  check("rmdir", mkdir("/work/empty", 0777) || rmdir("/work/empty"));
}

// Each says why not.
static void failAtThings(void) {
  check("no such file", open("/work/nothing", O_RDONLY) < 0);
  check("a folder", open("/work/tree", O_WRONLY) < 0);
  check("through a file", open("/work/one.bin/x", O_RDONLY) < 0);
  check("exists", open("/work/one.bin", O_CREAT | O_EXCL | O_WRONLY, 0666) < 0);
  check("not empty", rmdir("/work/tree"));
  check("no folder", rmdir("/work/one.bin"));
  check("up", open("/work/../outside", O_RDONLY) < 0);
  check("absolute", symlink("/etc/passwd", "/work/away"));
  check("no link", readlink("/work/one.bin", (char[10]){0}, 10) < 0);
  check("into itself", rename("/work/tree", "/work/tree/tree"));
}

int main(void) {
  check("mkdir", mkdir("/work/many", 0777));
  writeFiles();
  useOneFile();
  moveAndLink();
  removeThings();
  failAtThings();
  printf("%ld bytes in all\n", list("/work", 0));
  return 0;
}
