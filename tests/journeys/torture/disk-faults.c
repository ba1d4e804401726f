/*
 * Preloaded into the program (LD_PRELOAD), this makes the disk misbehave for files under one folder: SQLite writes with system calls of
 * its own, which nothing in JavaScript reaches. What happens, and when, stands in a file of four numbers that everybody maps:
 *   kind (0 none, 1 no space, 2 a write fails, 3 a write is short, 4 a sync fails, 5 a read fails), calls until it begins, how many
 *   calls it lasts, and how many calls it has met.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { NONE, NO_SPACE, WRITE_ERROR, SHORT_WRITE, SYNC_ERROR, READ_ERROR };
struct faults { int kind, until, left, met; };
static struct faults *faults;
static const char *folder;

__attribute__((constructor)) static void load(void) {
  const char *path = getenv("COMMONPLACE_TEST_DISK");
  folder = getenv("COMMONPLACE_TEST_DISK_FOLDER");
  if (path == NULL || folder == NULL) return;
  int fd = open(path, O_RDWR);
  if (fd < 0) return;
  void *mapped = mmap(NULL, sizeof(struct faults), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (mapped != MAP_FAILED) faults = mapped;
}

static int is_meant(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return strncmp(path, folder, strlen(folder)) == 0;
}

/* Whether this call meets the fault. */
static int meets(int fd, int kind) {
  if (faults == NULL || faults->kind != kind || faults->left <= 0 || !is_meant(fd)) return 0;
  if (__atomic_sub_fetch(&faults->until, 1, __ATOMIC_SEQ_CST) >= 0) return 0;
  if (__atomic_sub_fetch(&faults->left, 1, __ATOMIC_SEQ_CST) < 0) return 0;
  __atomic_add_fetch(&faults->met, 1, __ATOMIC_SEQ_CST);
  return 1;
}

static int fails_to_write(int fd) {
  if (meets(fd, NO_SPACE)) { errno = ENOSPC; return 1; }
  if (meets(fd, WRITE_ERROR)) { errno = EIO; return 1; }
  return 0;
}

#define REAL(name) \
  static __typeof__(name) *real; \
  if (real == NULL) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

ssize_t write(int fd, const void *bytes, size_t count) {
  REAL(write);
  if (fails_to_write(fd)) return -1;
  return real(fd, bytes, count > 1 && meets(fd, SHORT_WRITE) ? count / 2 : count);
}
ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
  REAL(pwrite64);
  if (fails_to_write(fd)) return -1;
  return real(fd, bytes, count > 1 && meets(fd, SHORT_WRITE) ? count / 2 : count, at);
}
ssize_t pread64(int fd, void *bytes, size_t count, off64_t at) {
  REAL(pread64);
  if (meets(fd, READ_ERROR)) { errno = EIO; return -1; }
  return real(fd, bytes, count, at);
}
int fsync(int fd) {
  REAL(fsync);
  if (meets(fd, SYNC_ERROR)) { errno = EIO; return -1; }
  return real(fd);
}
int fdatasync(int fd) {
  REAL(fdatasync);
  if (meets(fd, SYNC_ERROR)) { errno = EIO; return -1; }
  return real(fd);
}
