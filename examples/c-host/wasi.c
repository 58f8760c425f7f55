/* SPDX-License-Identifier: Apache-2.0 */
/* Every address that the module hands over is checked: a bad one is the module's error (EFAULT),
 * never the host's. */
#include "wasi.h"
#include "program.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

typedef struct Z_wasi_snapshot_preview1_instance_t Wasi;

enum { wasiSuccess = 0, wasiBadFile = 8, wasiFault = 21, wasiIo = 29 };

/* The memory at `address`, or NULL if not all of `size` bytes lie within it. */
static uint8_t *at(const Wasi *wasi, u32 address, u32 size) {
  return (uint64_t)address + size <= wasi->memory->size ? wasi->memory->data + address : NULL;
}

static int storeWord(const Wasi *wasi, u32 address, u32 value) {
  uint8_t *place = at(wasi, address, 4);
  if (!place)
    return 0;
  memcpy(place, &value, 4);
  return 1;
}

static u32 argumentBytes(const Wasi *wasi) {
  u32 size = 0;
  for (int i = 0; i < wasi->argc; ++i)
    size += (u32)strlen(wasi->argv[i]) + 1;
  return size;
}

u32 Z_wasi_snapshot_preview1Z_args_sizes_get(Wasi *wasi, u32 count, u32 size) {
  if (!storeWord(wasi, count, (u32)wasi->argc) || !storeWord(wasi, size, argumentBytes(wasi)))
    return wasiFault;
  return wasiSuccess;
}

u32 Z_wasi_snapshot_preview1Z_args_get(Wasi *wasi, u32 pointers, u32 bytes) {
  for (int i = 0; i < wasi->argc; ++i) {
    u32 length = (u32)strlen(wasi->argv[i]) + 1;
    uint8_t *place = at(wasi, bytes, length);
    if (!place || !storeWord(wasi, pointers + 4 * (u32)i, bytes))
      return wasiFault;
    memcpy(place, wasi->argv[i], length);
    bytes += length;
  }
  return wasiSuccess;
}

typedef ssize_t Transfer(int file, uint8_t *bytes, size_t size);

static ssize_t readBytes(int file, uint8_t *bytes, size_t size) { return read(file, bytes, size); }
static ssize_t writeBytes(int file, uint8_t *bytes, size_t size) {
  return write(file, bytes, size);
}

/* Moves bytes between a file and the buffers of `vectors` (address, length), until one is not done
 * whole. */
static u32 transferAll(Wasi *wasi, u32 file, u32 vectors, u32 count, u32 result,
                       Transfer *transfer) {
  if (file > 2)
    return wasiBadFile;
  u32 total = 0;
  for (u32 i = 0; i < count; ++i) {
    u32 vector[2];
    const uint8_t *place = at(wasi, vectors + 8 * i, sizeof vector);
    if (!place)
      return wasiFault;
    memcpy(vector, place, sizeof vector);
    uint8_t *bytes = at(wasi, vector[0], vector[1]);
    if (!bytes)
      return wasiFault;
    ssize_t moved = transfer((int)file, bytes, vector[1]);
    if (moved < 0)
      return wasiIo;
    total += (u32)moved;
    if ((u32)moved < vector[1])
      break;
  }
  return storeWord(wasi, result, total) ? wasiSuccess : wasiFault;
}

u32 Z_wasi_snapshot_preview1Z_fd_read(Wasi *wasi, u32 file, u32 vectors, u32 count, u32 result) {
  return transferAll(wasi, file, vectors, count, result, readBytes);
}

u32 Z_wasi_snapshot_preview1Z_fd_write(Wasi *wasi, u32 file, u32 vectors, u32 count, u32 result) {
  return transferAll(wasi, file, vectors, count, result, writeBytes);
}

void Z_wasi_snapshot_preview1Z_proc_exit(Wasi *wasi, u32 code) {
  wasi->exitCode = code;
  longjmp(wasi->exit, 1);
}
