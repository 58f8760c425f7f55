//===- ModuleStreams.cpp --------------------------------------------------===//

#include "ModuleStreams.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include <set>

using namespace llvm;
using namespace warpo;

static uint64_t keyOf(uint32_t module, int32_t id) { return uint64_t(module) << 32 | uint32_t(id); }

EventSink &ModuleStreams::watch(RecordInput &) {
  sawRecord_ = true;
  return executions_;
}

ModuleStreams::Belonging ModuleStreams::belongingOf(uint64_t moduleId,
                                                    const RecordedModule *recorded) const {
  if (recorded && !recorded->hash.empty())
    return StringRef(recorded->hash) == toStringRef(module_.hash()) ? Belonging::ours
                                                                    : Belonging::others;
  uint64_t ours = support::endian::read64le(module_.hash().data());
  return moduleId == ours ? Belonging::ours : Belonging::unknown;
}

// The streams with calls that are of the module.
std::vector<StreamIndex> ModuleStreams::chooseStreams(RecordInput &record) {
  const RecordHeader &header = record.reader().header();
  // Not a DenseMap: identifiers come from a file, and DenseMap keeps two keys for itself.
  std::unordered_map<uint64_t, const RecordedModule *> modules;
  for (const RecordedModule &known : header.modules)
    modules.try_emplace(known.id, &known);
  std::vector<StreamIndex> ours, unknown;
  std::set<uint64_t> unknownModules;
  const RecordedModule *other = nullptr;
  for (StreamIndex stream = 0; stream < executions_.streamCount(); ++stream) {
    if (executions_.of(stream).empty())
      continue;
    uint64_t moduleId = header.streams[stream].moduleId;
    auto known = modules.find(moduleId);
    const RecordedModule *recorded = known == modules.end() ? nullptr : known->second;
    switch (belongingOf(moduleId, recorded)) {
    case Belonging::ours:
      ours.push_back(stream);
      break;
    case Belonging::unknown:
      unknown.push_back(stream);
      unknownModules.insert(moduleId);
      break;
    case Belonging::others:
      other = recorded;
      break;
    }
  }
  if (!ours.empty())
    return ours;
  if (unknownModules.size() > 1)
    problem_ = "is of " + countOf(unknownModules.size(), "module") +
               ", and does not say which is " + module_.fileName() +
               " (records in the format warpo do)";
  else if (unknown.empty() && other)
    problem_ = "is a record of another module (" +
               (other->name.empty() ? "hash " : "'" + other->name + "', hash ") +
               toHex(other->hash, true) + ") than " + module_.fileName() + " (hash " +
               toHex(module_.hash(), true) + ")";
  return problem_.empty() ? unknown : std::vector<StreamIndex>();
}

// Fills in which functions the module's functions are.
void ModuleStreams::match(RecordInput &record) {
  const FunctionTable &table = record.functions();
  const RecordHeader &header = record.reader().header();
  std::set<uint64_t> moduleIds;
  for (StreamIndex stream : streams_)
    moduleIds.insert(header.streams[stream].moduleId);
  for (uint64_t moduleId : moduleIds) {
    std::vector<const Function *> known = table.functionsOf(moduleId);
    std::vector<RecordedFunction> recorded;
    for (const Function *function : known)
      recorded.push_back({function->name, function->id});
    for (auto [function, match] : zip_equal(known, matcher_.match(recorded)))
      if (match)
        byId_.try_emplace(keyOf(function->module, function->id), *match);
  }
  functions_.resize(table.size());
  std::set<std::string> names;
  uint64_t ran = 0;
  uint64_t found = 0;
  for (StreamIndex stream : streams_)
    for (const FirstExecutions::Execution &execution : executions_.of(stream)) {
      const Function &function = table[execution.function];
      functions_[execution.function] = find(function.module, function.id);
      ++ran;
      if (functions_[execution.function])
        ++found;
      else if (function.known) // The others are told as damage.
        names.insert(function.name.str());
    }
  unmatched_.assign(names.begin(), names.end());
  if (ran > 0 && found == 0)
    problem_ = table.hasMapping()
                   ? "is no record of " + module_.fileName() + ": the module has none of its " +
                         countOf(names.size(), "function")
                   : "does not say what its functions are called; --mapping does";
}

void ModuleStreams::watched(RecordInput &record, const SlicingResult &) {
  streams_ = chooseStreams(record);
  match(record);
}

std::optional<uint32_t> ModuleStreams::find(uint32_t profileModule, int32_t id) const {
  auto found = byId_.find(keyOf(profileModule, id));
  return found == byId_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::vector<uint32_t>> ModuleStreams::executions(bool eachStream) const {
  std::vector<std::vector<uint32_t>> result;
  auto add = [&](ArrayRef<StreamIndex> streams) {
    std::vector<bool> seen(module_.size());
    std::vector<uint32_t> order;
    for (FunctionIndex executed : executions_.merged(streams)) {
      std::optional<uint32_t> function = functions_[executed];
      if (!function || module_.isImported(*function) || seen[*function])
        continue;
      seen[*function] = true;
      order.push_back(*function);
    }
    order.shrink_to_fit();
    if (!order.empty())
      result.push_back(std::move(order));
  };
  if (!eachStream)
    add(streams_);
  else
    for (StreamIndex stream : streams_)
      add(stream);
  return result;
}
