//===- EntryFilter.h - Chooses entries by module and function -------------===//

#ifndef WARPO_LIB_TOOLING_ENTRYFILTER_H
#define WARPO_LIB_TOOLING_ENTRYFILTER_H

#include "warpo/Record/FunctionTable.h"
#include "warpo/Record/RecordFormat.h"
#include "warpo/Support/NameGlobs.h"

namespace warpo {

class EntryFilter {
public:
  /// `modules` are ids or names, `globs` choose functions; an empty one chooses all. The table and
  /// the header must outlive the filter.
  EntryFilter(std::vector<std::string> modules, NameGlobs globs, FunctionTable &functions,
              const RecordHeader &header)
      : modules_(std::move(modules)), globs_(std::move(globs)), functions_(functions),
        header_(header) {}

  /// What is left of the batch, which may be nothing; valid until the next call.
  RecordBatch apply(const RecordBatch &batch);
  /// The names of --module that no module of the record so far has had.
  std::vector<std::string> unusedModules() const;

private:
  bool wantsStream(StreamIndex stream);
  bool wantsFunction(FunctionIndex function);

  std::vector<std::string> modules_;
  NameGlobs globs_;
  FunctionTable &functions_;
  const RecordHeader &header_;
  enum class Verdict : uint8_t { unknown, wanted, unwanted };
  std::vector<Verdict> streamVerdicts_;
  std::vector<Verdict> functionVerdicts_;
  std::vector<bool> moduleUsed_;
  RecordColumns columns_;
};

} // namespace warpo

#endif
