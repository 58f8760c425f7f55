//===- EntryFilter.h - Filters entries by module and function -------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_ENTRYFILTER_H
#define WARPO_LIB_TOOLING_ENTRYFILTER_H

#include "warpo/Record/FunctionTable.h"
#include "warpo/Record/RecordFormat.h"
#include "warpo/Support/NameGlobs.h"
#include <unordered_map>

namespace warpo {

class EntryFilter {
public:
  /// `modules` are ids, or names for NameGlobs; `globs` select functions. If empty, all are
  /// selected. The table and the header must outlive the filter.
  static llvm::Expected<EntryFilter> create(llvm::ArrayRef<std::string> modules, NameGlobs globs,
                                            FunctionTable &functions, const RecordHeader &header);

  /// Returns the selected entries of the batch, possibly none; valid until the next call.
  RecordBatch apply(const RecordBatch &batch);
  /// The names given by --module that no module so far has.
  std::vector<std::string> unusedModules() const;

private:
  EntryFilter(NameGlobs globs, FunctionTable &functions, const RecordHeader &header)
      : globs_(std::move(globs)), functions_(functions), header_(header) {}
  bool wantsStream(StreamIndex stream);
  bool wantsModule(uint64_t id);
  bool wantsFunction(FunctionIndex function);

  struct Module {
    std::string text;
    NameGlobs globs;
    bool isUsed = false;
  };
  /// Whether a value of --module matches.
  bool matches(uint64_t id, llvm::StringRef name);

  std::vector<Module> modules_;
  NameGlobs globs_;
  FunctionTable &functions_;
  const RecordHeader &header_;
  enum class Verdict : uint8_t { unknown, wanted, unwanted };
  std::vector<Verdict> streamVerdicts_;
  std::unordered_map<uint64_t, Verdict> moduleVerdicts_;
  std::vector<Verdict> functionVerdicts_;
  /// By stream, times of traps whose next entry, which decides about them, has not been read yet.
  std::unordered_map<StreamIndex, std::vector<uint64_t>> traps_;
  RecordColumns columns_;
};

} // namespace warpo

#endif
