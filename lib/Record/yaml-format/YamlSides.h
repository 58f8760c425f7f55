//===- YamlSides.h - What stands beside the calls of a record in YAML -----===//
// SPDX-License-Identifier: Apache-2.0
//
// One file reads and writes each kind of side entry (WARPO_SIDE_KINDS).
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_RECORD_YAML_YAMLSIDES_H
#define WARPO_LIB_RECORD_YAML_YAMLSIDES_H

#include "YamlSource.h"
#include "YamlWriter.h"

namespace warpo {

/// `<key>` of lines `- <key>: ...`.
template <typename Entry> llvm::StringRef yamlKeyOf();
/// Reads what is behind the key. `lastTime` is that of the entry before, of the same kind and
/// stream, and then that of this one.
template <typename Entry>
llvm::Error readYamlEntry(YamlSource &record, LineCursor &line, std::optional<uint64_t> &lastTime,
                          Entry &entry);
/// Writes lines for `entries`, of which there is one or more.
template <typename Entry>
void writeYamlEntries(YamlWriter &writer, StreamIndex stream, llvm::ArrayRef<Entry> entries);

#define WARPO_KIND(Entry, ...)                                                                     \
  template <> llvm::StringRef yamlKeyOf<Entry>();                                                  \
  template <>                                                                                      \
  llvm::Error readYamlEntry(YamlSource &, LineCursor &, std::optional<uint64_t> &, Entry &);       \
  template <> void writeYamlEntries(YamlWriter &, StreamIndex, llvm::ArrayRef<Entry>);
WARPO_SIDE_KINDS(WARPO_KIND)
#undef WARPO_KIND

} // namespace warpo

#endif
