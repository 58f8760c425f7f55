//===- ModuleStreams.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "ModuleStreams.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

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

// The streams with calls of the module.
std::vector<StreamIndex> ModuleStreams::chooseStreams(RecordInput &record) {
  const RecordHeader &header = record.reader().header();
  // Not a DenseMap: identifiers come from a file, and DenseMap reserves two keys.
  std::unordered_map<uint64_t, const RecordedModule *> modules;
  for (const RecordedModule &known : header.modules)
    modules.try_emplace(known.id, &known);
  std::vector<StreamIndex> ours, unknown;
  std::set<uint64_t> unknownModules;
  const RecordedModule *other = nullptr;
  auto look = [&](StreamIndex stream, uint64_t moduleId) {
    auto known = modules.find(moduleId);
    const RecordedModule *recorded = known == modules.end() ? nullptr : known->second;
    auto addTo = [&](std::vector<StreamIndex> &streams) {
      if (streams.empty() || streams.back() != stream)
        streams.push_back(stream);
    };
    switch (belongingOf(moduleId, recorded)) {
    case Belonging::ours:
      addTo(ours);
      moduleIds_.insert(moduleId);
      break;
    case Belonging::unknown:
      addTo(unknown);
      unknownModules.insert(moduleId);
      break;
    case Belonging::others:
      other = recorded;
      break;
    }
  };
  for (StreamIndex stream = 0; stream < header.streams.size(); ++stream) {
    stackOf_.push_back(header.stackOf(stream));
    if (!executionsOf(stream).empty())
      for (uint64_t moduleId : header.streams[stream].moduleIds())
        look(stream, moduleId);
  }
  if (!ours.empty())
    return ours;
  moduleIds_ = unknownModules;
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

// Maps the record's functions to those of the module.
void ModuleStreams::match(RecordInput &record) {
  const FunctionTable &table = record.functions();
  const RecordHeader &header = record.reader().header();
  for (uint64_t moduleId : moduleIds_) {
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
    for (const FirstExecutions::Execution &execution : executionsOf(stream)) {
      if (table.isSuspension(execution.function))
        continue;
      const Function &function = table[execution.function];
      // Other modules may share the stack.
      const StreamInfo &info = header.streams[stream];
      if ((info.stack || !info.windows.empty()) &&
          moduleIds_.count(table.moduleIdOf(function)) == 0)
        continue;
      functions_[execution.function] = find(function.module, function.id);
      ++ran;
      if (functions_[execution.function])
        ++found;
      else if (function.known) // The others are reported as damage.
        names.insert(function.name.str());
    }
  unmatched_.assign(names.begin(), names.end());
  if (ran > 0 && found == 0)
    problem_ = table.hasMapping()
                   ? "is not a record of " + module_.fileName() + ": the module has none of its " +
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
  auto add = [&](ArrayRef<StreamIndex> stacks) {
    std::vector<bool> seen(module_.size());
    std::vector<uint32_t> order;
    for (FunctionIndex executed : executions_.merged(stacks)) {
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
  // Streams that share a stack share their executions.
  SetVector<StreamIndex> stacks;
  for (StreamIndex stream : streams_)
    stacks.insert(stackOf_[stream]);
  if (!eachStream)
    add(stacks.getArrayRef());
  else
    for (StreamIndex stack : stacks)
      add(stack);
  return result;
}
