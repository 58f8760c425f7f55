/* SPDX-License-Identifier: Apache-2.0 */
/* Lua for WASI, which runs the script on its standard input and tells its stack to samples of it.
 *
 * `warpo_guest_stack` is called wherever the interpreter happens to be, as a signal handler is: it
 * reads, and neither allocates nor changes anything of Lua's.
 */
#include "lauxlib.h"
#include "lstate.h"
#include "lualib.h"
#include <stdio.h>
#include <stdlib.h>

static lua_State *state;
static volatile int moves_stack;

static void *allocate(void *unused, void *old, size_t old_size, size_t size) {
  (void)unused, (void)old_size;
  moves_stack = state && old == state->stack;
  void *block = size != 0 ? realloc(old, size) : (free(old), NULL);
  moves_stack = 0;
  return block;
}

/* Whether the calls can be followed: not while the stack that their functions lie on is moved, nor
 * before all of them know its new place. */
static int is_in_order(void) {
  if (moves_stack)
    return 0;
  for (CallInfo *call = state->ci; call; call = call->previous)
    if (call->func < state->stack || call->func >= state->stack + state->stacksize)
      return 0;
  return 1;
}

/* Allocators take a memory that has grown for theirs: so the names have room that is ours. */
__attribute__((export_name("warpo_guest_room"))) char *warpo_guest_room(void) {
  static char room[1 << 16];
  return room;
}

__attribute__((export_name("warpo_guest_stack"))) int warpo_guest_stack(char *names, int room) {
  lua_Debug frame;
  int size = 0;
  if (!state || !is_in_order())
    return 0;
  for (int level = 0; lua_getstack(state, level, &frame); ++level) {
    lua_getinfo(state, "nS", &frame);
    const char *name = frame.name ? frame.name : frame.what;
    int left = room > size ? room - size : 0;
    size += 1 + (frame.linedefined > 0 ? snprintf(names + size, left, "%s (%s:%d)", name,
                                                  frame.short_src, frame.linedefined)
                                       : snprintf(names + size, left, "%s", name));
  }
  return size;
}

/* What Lua calls for an error that nobody catches. */
static int report_error(lua_State *failed) {
  const char *message = lua_tostring(failed, -1);
  fprintf(stderr, "%s\n", message ? message : "an error that is no text");
  return 0;
}

int main(void) {
  static char script[1 << 16];
  size_t size = fread(script, 1, sizeof script, stdin);
  lua_State *opened = lua_newstate(allocate, NULL);
  lua_atpanic(opened, report_error);
  luaL_requiref(opened, "_G", luaopen_base, 1);
  luaL_requiref(opened, "string", luaopen_string, 1);
  luaL_requiref(opened, "table", luaopen_table, 1);
  lua_settop(opened, 0);
  state = opened;
  luaL_loadbuffer(state, script, size, "=script.lua");
  lua_call(state, 0, 0);
  return 0;
}
