//===- EntryFilter.cpp ----------------------------------------------------===//

#include "EntryFilter.h"

using namespace llvm;
using namespace warpo;

static bool isModule(StringRef wanted, const StreamInfo &info, const FunctionTable &functions) {
  uint64_t id;
  if (!wanted.getAsInteger(0, id) && id == info.moduleId)
    return true;
  return wanted == info.name || wanted == functions.mappedModuleName(info.moduleId);
}

bool EntryFilter::wantsStream(StreamIndex stream) {
  if (modules_.empty())
    return true;
  moduleUsed_.resize(modules_.size());
  if (stream >= streamVerdicts_.size())
    streamVerdicts_.resize(stream + 1);
  Verdict &verdict = streamVerdicts_[stream];
  if (verdict == Verdict::unknown) {
    verdict = Verdict::unwanted;
    for (size_t i = 0; i < modules_.size(); ++i)
      if (isModule(modules_[i], header_.streams[stream], functions_)) {
        verdict = Verdict::wanted;
        moduleUsed_[i] = true;
      }
  }
  return verdict == Verdict::wanted;
}

bool EntryFilter::wantsFunction(FunctionIndex function) {
  if (function >= functionVerdicts_.size())
    functionVerdicts_.resize(size_t(function) * 2 + 64);
  Verdict &verdict = functionVerdicts_[function];
  if (verdict == Verdict::unknown)
    verdict = globs_.matches(functions_[function].name) ? Verdict::wanted : Verdict::unwanted;
  return verdict == Verdict::wanted;
}

RecordBatch EntryFilter::apply(const RecordBatch &batch) {
  if (!wantsStream(batch.stream))
    return {};
  if (globs_.empty() || !batch.samples.empty())
    return batch;
  columns_.clear();
  FunctionIds &ids = functions_.idsOf(header_.streams[batch.stream].moduleId);
  ArrayRef<RecordNote> notes = batch.notes;
  auto keepNotes = [&](size_t position) {
    for (const RecordNote &note : takeUpTo(notes, position)) {
      columns_.notes.push_back(note);
      columns_.notes.back().position = uint32_t(columns_.ids.size());
    }
  };
  for (size_t i = 0; i < batch.size(); ++i) {
    keepNotes(i);
    int32_t id = batch.ids[i];
    if (wantsFunction(ids.find(id > 0 ? id : -id))) {
      columns_.times.push_back(batch.times[i]);
      columns_.ids.push_back(id);
      if (!batch.fuel.empty())
        columns_.fuel.push_back(batch.fuel[i]);
    }
  }
  keepNotes(batch.size());
  return columns_.batch(batch.stream);
}

std::vector<std::string> EntryFilter::unusedModules() const {
  std::vector<std::string> unused;
  for (size_t i = 0; i < modules_.size(); ++i)
    if (i >= moduleUsed_.size() || !moduleUsed_[i])
      unused.push_back(modules_[i]);
  return unused;
}
