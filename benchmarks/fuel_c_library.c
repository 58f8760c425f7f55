/* SPDX-License-Identifier: Apache-2.0 */
/* A program for fuel.py that spends its time in the C library: sorting, printing, reading numbers,
 * regular expressions. */

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *one, const void *other) {
  return strcmp(*(char *const *)one, *(char *const *)other);
}

int main(int count, char **arguments) {
  int rounds = count > 1 ? atoi(arguments[1]) : 1;
  static char text[2000][40];
  static char *lines[2000];
  unsigned found = 0;
  regex_t pattern;
  if (regcomp(&pattern, "^([0-9]+)\\.[0-9]*[27] (ab|a+)*b$", REG_EXTENDED))
    return 1;
  for (int round = 0; round < rounds; ++round) {
    double sum = 0;
    for (int i = 0; i < 2000; ++i) {
      lines[i] = text[i];
      snprintf(text[i], sizeof text[i], "%d.%04x %s", (i * 7919 + round) % 10007, i,
               i % 3 ? "aaabab" : "abaac");
      sum += strtod(text[i], NULL);
    }
    qsort(lines, 2000, sizeof *lines, compare);
    for (int i = 0; i < 2000; ++i)
      found += !regexec(&pattern, lines[i], 0, NULL, 0);
    found += (unsigned)sum % 2;
  }
  printf("%u\n", found);
}
