//===- YamlPlaces.h - Source locations in YAML ----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_RECORD_YAML_YAMLPLACES_H
#define WARPO_LIB_RECORD_YAML_YAMLPLACES_H

#include "LineCursor.h"
#include "warpo/Record/Declarations.h"
#include <map>
#include <optional>
#include <vector>

namespace warpo {

/// A line for a function: `[<module>, <id>, <file>, <line>, <inlined function>, ...]`.
struct YamlPlace {
  uint64_t moduleId = 0;
  int32_t id = 0;
  uint32_t line = 0;
  /// The file, followed by the inlined functions.
  std::vector<std::string> texts;

  /// Nothing for any other line.
  static std::optional<YamlPlace> parse(LineCursor &line);
};

/// Collects the source locations of one module.
class YamlPlaces {
public:
  explicit YamlPlaces(uint64_t moduleId) : moduleId_(moduleId) {}

  uint64_t moduleId() const { return moduleId_; }
  /// Adds nothing and returns false if the id is not a function's or does not increase.
  bool add(const YamlPlace &place);
  /// Moves out all added locations.
  SourcePlaces take() { return std::move(places_); }

private:
  uint32_t numberOf(const std::string &text);

  uint64_t moduleId_;
  SourcePlaces places_;
  std::map<std::string, uint32_t> texts_{{"", 0}};
};

} // namespace warpo

#endif
