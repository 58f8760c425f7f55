//===- YamlSides.h - Side entries in YAML ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Each kind of side entry (WARPO_SIDE_KINDS) is read and written by its file in kinds/.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_RECORD_YAML_YAMLSIDES_H
#define WARPO_LIB_RECORD_YAML_YAMLSIDES_H

#include "YamlSource.h"
#include "YamlWriter.h"

namespace warpo {

/// The `<key>` in lines `- <key>: ...`.
template <typename Entry> llvm::StringRef yamlKeyOf();
/// Reads the line after the key. `lastTime` is the time of the previous entry of the same kind and
/// stream, and is set to that of this one.
template <typename Entry>
llvm::Error readYamlEntry(YamlSource &record, LineCursor &line, std::optional<uint64_t> &lastTime,
                          Entry &entry);
/// Writes lines for `entries`, at least one.
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
