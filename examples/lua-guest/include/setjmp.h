/* WASI has no setjmp: an error that Lua would catch is a trap (LUAI_THROW in CMakeLists.txt). */
