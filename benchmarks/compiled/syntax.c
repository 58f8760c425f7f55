/* SPDX-License-Identifier: Apache-2.0 */
/* tree-sitter for autofdo.py: parses the JavaScript of standard input as often as its first line
 * says, and prints how many nodes the tree has and how many of them are errors. */

#include <stdio.h>
#include <tree_sitter/api.h>

const TSLanguage *tree_sitter_javascript(void);

/* The library writes pictures of trees through it, which nothing asks for here. */
int dup(int file) { return -1; }

int main(void) {
  static char text[1 << 20];
  int rounds;
  if (scanf("%d", &rounds) != 1)
    return 1;
  size_t size = fread(text, 1, sizeof text, stdin);
  TSParser *parser = ts_parser_new();
  if (!ts_parser_set_language(parser, tree_sitter_javascript()))
    return 1;
  unsigned nodes = 0, errors = 0;
  for (int i = 0; i < rounds; ++i) {
    TSTree *tree = ts_parser_parse_string(parser, NULL, text, (uint32_t)size);
    TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
    for (int isInside = 1; isInside;) {
      ++nodes;
      errors += ts_node_is_error(ts_tree_cursor_current_node(&cursor));
      if (ts_tree_cursor_goto_first_child(&cursor))
        continue;
      while (isInside && !ts_tree_cursor_goto_next_sibling(&cursor))
        isInside = ts_tree_cursor_goto_parent(&cursor);
    }
    ts_tree_cursor_delete(&cursor);
    ts_tree_delete(tree);
  }
  printf("%u nodes, %u errors\n", nodes / rounds, errors / rounds);
  return 0;
}
