/* SPDX-License-Identifier: Apache-2.0 */
/* Sections, for programs in C and C++ compiled to WebAssembly with clang: parts of
 * a run that the program names itself. The host is warpo-run, or any that records
 * sections.
 *
 *   warpo_begin_section("parse");
 *   ...
 *   warpo_end_section();
 *
 * In C++, `warpo::Section section("parse");` ends with its block. A section ends
 * at the latest with the function that began it, so all of these are always
 * inlined. */
#ifndef WARPO_GUEST_SECTION_H
#define WARPO_GUEST_SECTION_H

#ifndef __wasm__
#error "this is for programs in WebAssembly"
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define WARPO_GUEST_IMPORT(function)                                                               \
  __attribute__((import_module("builtin"), import_name(function)))
WARPO_GUEST_IMPORT("beginSection")
void warpo_begin_section_of(const char *name, __SIZE_TYPE__ length);
WARPO_GUEST_IMPORT("endSection") void warpo_end_section(void);
#undef WARPO_GUEST_IMPORT

/* `name` is UTF-8, terminated by a zero. */
__attribute__((always_inline)) static inline void warpo_begin_section(const char *name) {
  __SIZE_TYPE__ length = 0;
  while (name[length])
    ++length;
  warpo_begin_section_of(name, length);
}

#ifdef __cplusplus
}

namespace warpo {

class Section {
public:
  __attribute__((always_inline)) explicit Section(const char *name) { warpo_begin_section(name); }
  __attribute__((always_inline)) ~Section() { warpo_end_section(); }
  Section(const Section &) = delete;
  Section &operator=(const Section &) = delete;
};

} // namespace warpo
#endif

#endif
