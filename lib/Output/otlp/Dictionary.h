//===- Dictionary.h - The tables that OpenTelemetry's profiles share ------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_OTLP_DICTIONARY_H
#define WARPO_OUTPUT_OTLP_DICTIONARY_H

#include "Messages.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <tuple>

namespace warpo::otlp {

/// Fills the tables. Entries are unique; index 0 is an empty entry that means none. Texts are
/// UTF-8.
class Dictionary {
public:
  /// `tables` must be empty and outlive this.
  explicit Dictionary(ProfilesDictionary &tables);

  int32_t string(llvm::StringRef text);
  /// 0 for a module without a name.
  int32_t mapping(llvm::StringRef module);
  int32_t function(llvm::StringRef name, llvm::StringRef file, uint32_t startLine);
  /// `attribute` may be 0.
  int32_t location(int32_t mapping, int32_t function, uint32_t line, int32_t attribute);
  int32_t attribute(llvm::StringRef key, llvm::StringRef value);
  /// The ids have 16 and 8 bytes.
  int32_t link(llvm::StringRef traceId, llvm::StringRef spanId);
  /// Adds a stack, innermost frame first. Does not look for an equal one: the caller has to.
  int32_t newStack(llvm::ArrayRef<int32_t> locations);

private:
  ProfilesDictionary &tables_;
  llvm::StringMap<int32_t> strings_;
  llvm::DenseMap<int32_t, int32_t> mappings_;
  std::map<std::tuple<int32_t, int32_t, uint32_t>, int32_t> functions_;
  std::map<std::tuple<int32_t, int32_t, uint32_t, int32_t>, int32_t> locations_;
  std::map<std::pair<int32_t, std::string>, int32_t> attributes_;
  std::map<std::pair<std::string, std::string>, int32_t> links_;
};

} // namespace warpo::otlp

#endif
