/* SPDX-License-Identifier: Apache-2.0 */
/* WASI has no signals. Lua needs the type. */
#ifndef LUA_GUEST_SIGNAL_H
#define LUA_GUEST_SIGNAL_H
typedef int sig_atomic_t;
#endif
