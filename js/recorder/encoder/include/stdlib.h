/* SPDX-License-Identifier: Apache-2.0 */
/* What the encoder needs of a C library where there is none: memory.c. */
#ifndef WARPO_JS_STDLIB_H
#define WARPO_JS_STDLIB_H

#include <stddef.h>

void *malloc(size_t size);
void *realloc(void *memory, size_t size);
void free(void *memory);

#endif
