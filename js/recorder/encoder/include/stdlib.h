/* SPDX-License-Identifier: Apache-2.0 */
/* The part of the C library that the encoder needs: its allocator (memory.c). */
#ifndef WARPO_JS_STDLIB_H
#define WARPO_JS_STDLIB_H

#include <stddef.h>

void *malloc(size_t size);
void *realloc(void *memory, size_t size);
void free(void *memory);

#endif
