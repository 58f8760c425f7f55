// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <string.h>

static char table[20000][12];
static int size;

static int find_slow(const char *word) {
  for (int i = 0; i < size; ++i)
    if (strcmp(table[i], word) == 0)
      return i;
  return -1;
}

static void insert(const char *word) {
  if (find_slow(word) < 0)
    strcpy(table[size++], word);
}

int main(void) {
  char word[12];
  for (int i = 0; i < 40000; ++i) {
    snprintf(word, sizeof word, "w%d", i * 7919 % 3001);
    insert(word);
  }
  printf("%d\n", size);
}
