//===- Dictionary.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Dictionary.h"

using namespace llvm;
using namespace warpo::otlp;

/// The index of `key` in `table`; if the key is new, adds an entry and calls `fill` with it.
template <typename Map, typename Key, typename Table, typename Fill>
static int32_t indexOf(Map &known, const Key &key, Table &table, Fill fill) {
  auto [entry, isNew] = known.try_emplace(key, int32_t(table.size()));
  if (isNew)
    fill(*table.Add());
  return entry->second;
}

Dictionary::Dictionary(ProfilesDictionary &tables) : tables_(tables) {
  tables.add_mapping_table();
  tables.add_location_table();
  tables.add_function_table();
  tables.add_link_table();
  tables.add_attribute_table();
  tables.add_stack_table();
  string("");
}

int32_t Dictionary::string(StringRef text) {
  return indexOf(strings_, text, *tables_.mutable_string_table(),
                 [&](std::string &added) { added = text.str(); });
}

int32_t Dictionary::mapping(StringRef module) {
  if (module.empty())
    return 0;
  int32_t name = string(module);
  return indexOf(mappings_, name, *tables_.mutable_mapping_table(),
                 [&](Mapping &added) { added.set_filename_strindex(name); });
}

int32_t Dictionary::function(StringRef name, StringRef file, uint32_t startLine) {
  int32_t nameIndex = string(name);
  int32_t fileIndex = string(file);
  return indexOf(functions_, std::tuple(nameIndex, fileIndex, startLine),
                 *tables_.mutable_function_table(), [&](Function &added) {
                   added.set_name_strindex(nameIndex);
                   added.set_filename_strindex(fileIndex);
                   added.set_start_line(startLine);
                 });
}

int32_t Dictionary::location(int32_t mapping, int32_t function, uint32_t line, int32_t attribute) {
  return indexOf(locations_, std::tuple(mapping, function, line, attribute),
                 *tables_.mutable_location_table(), [&](Location &added) {
                   added.set_mapping_index(mapping);
                   Line &place = *added.add_lines();
                   place.set_function_index(function);
                   place.set_line(line);
                   if (attribute != 0)
                     added.add_attribute_indices(attribute);
                 });
}

int32_t Dictionary::attribute(StringRef key, StringRef value) {
  int32_t keyIndex = string(key);
  return indexOf(attributes_, std::pair(keyIndex, value.str()), *tables_.mutable_attribute_table(),
                 [&](KeyValueAndUnit &added) {
                   added.set_key_strindex(keyIndex);
                   added.mutable_value()->set_string_value(value.str());
                 });
}

int32_t Dictionary::link(StringRef traceId, StringRef spanId) {
  return indexOf(links_, std::pair(traceId.str(), spanId.str()), *tables_.mutable_link_table(),
                 [&](Link &added) {
                   added.set_trace_id(traceId.str());
                   added.set_span_id(spanId.str());
                 });
}

int32_t Dictionary::newStack(ArrayRef<int32_t> locations) {
  int32_t index = tables_.stack_table_size();
  tables_.add_stack_table()->mutable_location_indices()->Assign(locations.begin(), locations.end());
  return index;
}
