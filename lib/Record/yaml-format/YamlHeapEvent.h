//===- YamlHeapEvent.h - A heap event, of a record in YAML -----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_RECORD_YAML_YAMLHEAPEVENT_H
#define WARPO_LIB_RECORD_YAML_YAMLHEAPEVENT_H

#include "LineCursor.h"
#include "warpo/Record/HeapEvent.h"
#include <optional>

namespace warpo {

/// `[allocate, <time>, <memory>, <address>, <size>, <frame>, ...]` and its like, up to the frames.
struct YamlHeapEvent {
  static constexpr llvm::StringLiteral form =
      "'- heap: [allocate, <time>, <memory>, <address>, <size>, <frame>, ...]', '[free, <time>, "
      "<memory>, <address>, ...]', '[reallocate, <time>, <memory>, <old address>, <address>, "
      "<size>, ...]', '[grow, <time>, <memory>, <size>, ...]' or '[grow-table, <time>, <table>, "
      "<elements>, ...]'";

  /// Since the record's origin.
  int64_t time = 0;
  /// Without its time and its stack.
  HeapEvent event;

  /// Nothing for a line of another form.
  static std::optional<YamlHeapEvent> parse(LineCursor &line);
};

} // namespace warpo

#endif
