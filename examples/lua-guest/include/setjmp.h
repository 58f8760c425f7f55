/* SPDX-License-Identifier: Apache-2.0 */
/* WASI has no setjmp: an error that Lua would catch is a trap (LUAI_THROW in CMakeLists.txt). */
