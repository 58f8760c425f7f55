//===- EntryFilter.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "EntryFilter.h"
#include "warpo/Support/Demangle.h"
#include <cstdlib>

using namespace llvm;
using namespace warpo;

Expected<EntryFilter> EntryFilter::create(ArrayRef<std::string> modules, NameGlobs globs,
                                          FunctionTable &functions, const RecordHeader &header) {
  EntryFilter filter(std::move(globs), functions, header);
  for (const std::string &text : modules) {
    auto pattern = NameGlobs::create(text, "module");
    if (!pattern)
      return pattern.takeError();
    filter.modules_.push_back({text, std::move(*pattern)});
  }
  return filter;
}

bool EntryFilter::matches(uint64_t id, StringRef name) {
  bool isMatch = false;
  for (Module &module : modules_)
    if (module.globs.matchesModule(id, name))
      isMatch = module.isUsed = true;
  return isMatch;
}

bool EntryFilter::wantsModule(uint64_t id) {
  Verdict &verdict = moduleVerdicts_[id];
  if (verdict == Verdict::unknown)
    verdict = matches(id, functions_.mappedModuleName(id)) ? Verdict::wanted : Verdict::unwanted;
  return verdict == Verdict::wanted;
}

/// Matches the stream's first module, or its name.
bool EntryFilter::wantsStream(StreamIndex stream) {
  if (stream >= streamVerdicts_.size())
    streamVerdicts_.resize(stream + 1);
  Verdict &verdict = streamVerdicts_[stream];
  if (verdict == Verdict::unknown) {
    const StreamInfo &info = header_.streams[stream];
    bool isNamed = !info.name.empty() && matches(info.moduleId, info.name);
    verdict = wantsModule(info.moduleId) || isNamed ? Verdict::wanted : Verdict::unwanted;
  }
  return verdict == Verdict::wanted;
}

bool EntryFilter::wantsFunction(FunctionIndex function) {
  if (function >= functionVerdicts_.size())
    functionVerdicts_.resize(size_t(function) * 2 + 64);
  Verdict &verdict = functionVerdicts_[function];
  if (verdict == Verdict::unknown) {
    // Names of a converted record stay mangled.
    StringRef name = functions_[function].name;
    bool matches = globs_.matches(name) || globs_.matches(demangleName(name));
    verdict = matches ? Verdict::wanted : Verdict::unwanted;
  }
  return verdict == Verdict::wanted;
}

RecordBatch EntryFilter::apply(const RecordBatch &batch) {
  const StreamInfo &info = header_.streams[batch.stream];
  bool isMixed = !modules_.empty() && !info.windows.empty();
  if (!modules_.empty() && !isMixed && !wantsStream(batch.stream))
    return {};
  if (globs_.empty() && !isMixed)
    return batch;
  columns_.clear();
  FunctionIds &ids = functions_.idsOf(batch.stream, info);
  std::vector<uint64_t> &traps = traps_[batch.stream];
  ArrayRef<RecordNote> notes = batch.notes;
  auto keepNotes = [&](size_t position) {
    for (const RecordNote &note : takeUpTo(notes, position)) {
      columns_.notes.push_back(note);
      columns_.notes.back().position = uint32_t(columns_.ids.size());
      // The entry that a trap refers to may be lost, so it must not apply to the next one.
      if (note.kind == NoteKind::lost)
        traps.clear();
    }
  };
  auto wants = [&](size_t i) {
    int32_t id = std::abs(batch.ids[i]);
    return (!isMixed || wantsModule(info.functionOf(id).moduleId)) &&
           (globs_.empty() || wantsFunction(ids.find(id)));
  };
  auto keep = [&](uint64_t time, int32_t id, size_t i) {
    columns_.times.push_back(time);
    columns_.ids.push_back(id);
    columns_.addCounts(batch.counts, i);
  };
  for (size_t i = 0; i < batch.size(); ++i) {
    keepNotes(i);
    if (batch.ids[i] == trapId) {
      traps.push_back(batch.times[i]);
      continue;
    }
    if (wants(i)) {
      // Nothing runs between a trap and the entry it refers to, so counts are equal.
      for (uint64_t time : traps)
        keep(time, trapId, i);
      keep(batch.times[i], batch.ids[i], i);
    }
    traps.clear();
  }
  keepNotes(batch.size());
  RecordBatch kept = columns_.batch(batch.stream);
  if (!isMixed || wantsStream(batch.stream))
    kept.beside = batch.beside;
  return kept;
}

std::vector<std::string> EntryFilter::unusedModules() const {
  std::vector<std::string> unused;
  for (const Module &module : modules_)
    if (!module.isUsed)
      unused.push_back(module.text);
  return unused;
}
