/* SPDX-License-Identifier: Apache-2.0 */
/* SQLite for counts.py: carries out the statements of standard input in a database in memory, as
 * often as its first number says, each time in a new one, and prints the rows that they give. There
 * are no files, and the clock and random numbers stand still, so that each run is the same. */

#include "sqlite3.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int openFile(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags,
                    int *outFlags) {
  file->pMethods = NULL;
  return SQLITE_CANTOPEN;
}
static int deleteFile(sqlite3_vfs *vfs, const char *name, int sync) { return SQLITE_OK; }
static int accessFile(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
  *result = 0;
  return SQLITE_OK;
}
static int fullPathname(sqlite3_vfs *vfs, const char *name, int size, char *path) {
  return snprintf(path, (size_t)size, "%s", name) < size ? SQLITE_OK : SQLITE_CANTOPEN;
}
static int randomness(sqlite3_vfs *vfs, int size, char *bytes) {
  memset(bytes, 7, (size_t)size);
  return size;
}
static int sleepFor(sqlite3_vfs *vfs, int microseconds) { return microseconds; }
static int currentTime(sqlite3_vfs *vfs, double *days) {
  *days = 2460000.5;
  return SQLITE_OK;
}
static int lastError(sqlite3_vfs *vfs, int size, char *text) { return 0; }

int sqlite3_os_init(void) {
  static sqlite3_vfs vfs = {.iVersion = 1,
                            .szOsFile = sizeof(sqlite3_file),
                            .mxPathname = 512,
                            .zName = "none",
                            .xOpen = openFile,
                            .xDelete = deleteFile,
                            .xAccess = accessFile,
                            .xFullPathname = fullPathname,
                            .xRandomness = randomness,
                            .xSleep = sleepFor,
                            .xCurrentTime = currentTime,
                            .xGetLastError = lastError};
  return sqlite3_vfs_register(&vfs, 1);
}
int sqlite3_os_end(void) { return SQLITE_OK; }

static int printRow(void *context, int columns, char **values, char **names) {
  for (int i = 0; i < columns; ++i)
    printf("%s%s", i ? "|" : "", values[i] ? values[i] : "");
  printf("\n");
  return 0;
}

static int carryOut(const char *statements) {
  sqlite3 *database;
  char *message = NULL;
  if (sqlite3_open(":memory:", &database) ||
      sqlite3_exec(database, statements, printRow, NULL, &message)) {
    printf("%s\n", message ? message : sqlite3_errmsg(database));
    return 1;
  }
  return sqlite3_close(database);
}

int main(void) {
  static char input[1 << 23];
  input[fread(input, 1, sizeof input - 1, stdin)] = 0;
  char *statements;
  for (long rounds = strtol(input, &statements, 10); rounds > 0; --rounds)
    if (carryOut(statements))
      return 1;
  return 0;
}
