//===- YamlPlaces.h - Places in the source, of a record in YAML -----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_RECORD_YAML_YAMLPLACES_H
#define WARPO_LIB_RECORD_YAML_YAMLPLACES_H

#include "LineCursor.h"
#include "warpo/Record/Declarations.h"
#include <map>
#include <optional>
#include <vector>

namespace warpo {

/// What a line says of a function: `[<module>, <id>, <file>, <line>, <inlined function>, ...]`.
struct YamlPlace {
  uint64_t moduleId = 0;
  int32_t id = 0;
  uint32_t line = 0;
  /// The file, then the inlined functions.
  std::vector<std::string> texts;

  /// Nothing for a line of another form.
  static std::optional<YamlPlace> parse(LineCursor &line);
};

/// Collects the places of one module.
class YamlPlaces {
public:
  explicit YamlPlaces(uint64_t moduleId) : moduleId_(moduleId) {}

  uint64_t moduleId() const { return moduleId_; }
  /// False, and nothing added, if its id is no function's or does not rise.
  bool add(const YamlPlace &place);
  /// All that were added, which are this one's no longer.
  SourcePlaces take() { return std::move(places_); }

private:
  uint32_t numberOf(const std::string &text);

  uint64_t moduleId_;
  SourcePlaces places_;
  std::map<std::string, uint32_t> texts_{{"", 0}};
};

} // namespace warpo

#endif
