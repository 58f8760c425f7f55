//===- InstrumentationSet.cpp ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "InstrumentationSet.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace warpo;

Expected<InstrumentationSet> InstrumentationSet::create(ArrayRef<std::string> names,
                                                        ArrayRef<GivenOption> given) {
  if (names.empty())
    return makeError("no instrumentation is chosen");
  InstrumentationSet set;
  StringSet<> known;
  for (const std::string &name : names) {
    if (!known.insert(name).second)
      return makeError("instrumentation '" + name + "' is chosen twice");
    auto instrumentation = warpo::Registry<Instrumentation>::create(name);
    if (!instrumentation)
      return instrumentation.takeError();
    set.instrumentations_.push_back(std::move(*instrumentation));
  }
  if (Error error = setOptions(set.instrumentations_, given))
    return error;
  if (Error error = set.addNeeds(names))
    return error;
  return set;
}

Error InstrumentationSet::addNeeds(ArrayRef<std::string> names) {
  StringRef entryLog, frames;
  for (const auto &[name, instrumentation] : zip_equal(names, instrumentations_)) {
    InstrumentationNeeds needs = instrumentation->needs();
    if (needs.entryLog && !entryLog.empty())
      return makeError("'" + entryLog + "' and '" + name +
                       "' exclude each other: a record of one holds what the other would log");
    if (needs.entryLog)
      entryLog = name;
    if (needs.frames && !frames.empty())
      return makeError("'" + frames + "' and '" + name +
                       "' exclude each other: both report the open calls to the host");
    if (needs.frames)
      frames = name;
    insertingCount_ += needs.functions || needs.bodies || needs.code || needs.runs || needs.fuel ||
                       needs.unwinding;
    needs_.bodies |= needs.bodies;
    needs_.functions |= needs.functions;
    needs_.exits |= needs.exits;
    needs_.runs |= needs.runs || needs.fuel;
    needs_.code |= needs.code;
    needs_.unwinding |= needs.unwinding;
    needs_.codeMap |= needs.codeMap;
    needs_.fuel |= needs.fuel;
    needs_.callKinds |= needs.callKinds;
    needs_.traps |= needs.traps;
    needs_.trapsOfThread |= needs.trapsOfThread;
    needs_.stacks |= needs.stacks;
    needs_.switched |= needs.switched;
    needs_.variables |= needs.variables;
    needs_.waysOut |= needs.waysOut;
  }
  if ((needs_.callKinds || needs_.traps) && !needs_.exits)
    return makeError(Twine(needs_.callKinds ? "'call-kinds'" : "'traps'") +
                     " needs an instrumentation that reports entries and exits: trace, or sample "
                     "with --stack=shadow");
  if (needs_.traps && needs_.switched)
    return makeError("'traps' and --switchable exclude each other: a trap may have ended calls "
                     "that were not reported");
  return Error::success();
}

Error InstrumentationSet::declare(ModuleDeclarations &declarations) {
  for (const auto &instrumentation : instrumentations_)
    if (Error error = instrumentation->declare(declarations))
      return error;
  return Error::success();
}

void InstrumentationSet::instrument(const FunctionSite &site, wasm::FunctionEdit &edit) const {
  if (instrumentations_.size() == 1)
    return instrumentations_.front()->instrument(site, edit);
  for (const auto &instrumentation : instrumentations_) {
    wasm::FunctionEdit part;
    part.addedLocals = edit.addedLocals;
    instrumentation->instrument(site, part);
    edit.entry.append(part.entry);
    part.exit.append(edit.exit);
    edit.exit = part.exit;
    edit.addedLocals = part.addedLocals;
  }
}

void InstrumentationSet::instrumentBody(uint32_t function, bool isInstrumented,
                                        wasm::FunctionEdit &edit) const {
  for (const auto &instrumentation : instrumentations_) {
    wasm::FunctionEdit part;
    part.addedLocals = edit.addedLocals;
    instrumentation->instrumentBody(function, isInstrumented, part);
    edit.entry.append(part.entry);
    edit.exit.append(part.exit);
    edit.returnExit.append(part.returnExit);
    edit.addedLocals = part.addedLocals;
  }
}

void InstrumentationSet::reportTrapped(wasm::CodeSequence &code, bool isOutermost) const {
  for (const auto &instrumentation : instrumentations_)
    instrumentation->reportTrapped(code, isOutermost);
}

void InstrumentationSet::instrumentWayOut(wasm::CodeSequence &code) const {
  for (const auto &instrumentation : instrumentations_)
    instrumentation->instrumentWayOut(code);
}

void InstrumentationSet::instrumentRun(const wasm::RunSite &run, wasm::CodeSequence &code) const {
  for (const auto &instrumentation : instrumentations_)
    instrumentation->instrumentRun(run, code);
}

void InstrumentationSet::instrumentCode(uint32_t function, wasm::CodeInsertions &insertions) const {
  for (const auto &instrumentation : instrumentations_)
    instrumentation->instrumentCode(function, insertions);
}

void InstrumentationSet::instrumentUnwinding(uint32_t function, wasm::CodeSequence &code) const {
  for (const auto &instrumentation : instrumentations_)
    instrumentation->instrumentUnwinding(function, code);
}
