//===- SampleProfile.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "SampleProfile.h"
#include "warpo/Coverage/CountedCode.h"
#include "warpo/Support/Errors.h"
#include "warpo/Wasm/FunctionNames.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <set>

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

namespace {

class SampleProfileMaker {
public:
  explicit SampleProfileMaker(const Coverage &coverage);

  SampleProfile take();

private:
  void add(const FunctionCounts &function, const FunctionPlaces &places);
  std::vector<CodeSamples *> samplesOf(const FunctionPlaces &places);
  std::string nameOf(const FunctionPlaces &places) const;
  std::string nameOf(uint32_t function) const;
  void addCallees(const CountedInstruction &call, ArrayRef<ReachedFunction> targets,
                  CodeSamples::Body &body);

  const ModuleCounts &counts_;
  const wasm::Module &module_;
  const ModulePlaces &places_;
  const TracedCalls &traced_;
  wasm::FunctionNames names_;
  SampleProfile profile_;
  /// Counts for executed code: functions and inlined calls without a name or line, and calls in
  /// code of functions whose names linkers do not know.
  size_t unknownFunctions_ = 0, unknownInlined_ = 0, unknownCallees_ = 0;
};

} // namespace

uint64_t CodeSamples::total() const {
  uint64_t sum = 0;
  for (const auto &[location, each] : body)
    sum = SaturatingAdd(sum, each.count);
  for (const auto &[location, calls] : inlined)
    for (const auto &[name, call] : calls)
      sum = SaturatingAdd(sum, call.total());
  return sum;
}

// Compilers use 16 bits, even for a line before the function's, as in an included file.
static CodeSamples::Location locationOf(uint32_t line, uint32_t functionLine,
                                        uint32_t discriminator) {
  return {(line - functionLine) & 0xffff, decodeDiscriminator(discriminator).base};
}

// Whether it can be a function's name in the file: demangled names cannot.
static bool isSymbol(StringRef name) {
  return !name.empty() &&
         all_of(name, [](char c) { return isAlnum(c) || StringRef("_.$@").contains(c); });
}

// Debug information has the source's name for clang's `__main_argc_argv`.
std::string SampleProfileMaker::nameOf(const FunctionPlaces &places) const {
  StringRef name = places_.name(places.name);
  return name.empty() || name == "main" ? names_[places.index] : name.str();
}

std::string SampleProfileMaker::nameOf(uint32_t index) const {
  if (index >= module_.functionCount())
    return "";
  auto known = partition_point(places_.functions,
                               [=](const FunctionPlaces &each) { return each.index < index; });
  if (known != places_.functions.end() && known->index == index)
    return nameOf(*known);
  return names_[index];
}

// The targets of a call. Its executions are divided among them in proportion to the trace.
void SampleProfileMaker::addCallees(const CountedInstruction &call,
                                    ArrayRef<ReachedFunction> targets, CodeSamples::Body &body) {
  uint64_t all = 0;
  for (const ReachedFunction &target : targets)
    all = SaturatingAdd(all, target.calls);
  for (const ReachedFunction &target : targets) {
    std::string callee = nameOf(target.function);
    if (!isSymbol(callee)) {
      ++unknownCallees_;
      continue;
    }
    uint64_t executions = call.executions;
    if (target.calls != all)
      executions = uint64_t(double(executions) * (double(target.calls) / double(all)));
    uint64_t &sum = body.callees[callee];
    sum = SaturatingAdd(sum, executions);
  }
}

// By number of the call, the function itself first; null if nothing is known about it.
std::vector<CodeSamples *> SampleProfileMaker::samplesOf(const FunctionPlaces &places) {
  std::string name = nameOf(places);
  std::vector<CodeSamples *> samples{isSymbol(name) && places.line ? &profile_.functions[name]
                                                                   : nullptr};
  for (const InlinedCall &call : places.calls) {
    CodeSamples *around = samples[call.around];
    uint32_t outer = call.around ? places.calls[call.around - 1].inlinee : 0;
    uint32_t line = call.around ? (outer ? places_.inlinees[outer - 1].line : 0) : places.line;
    StringRef callee =
        call.inlinee ? places_.name(places_.inlinees[call.inlinee - 1].name) : StringRef();
    bool isKnown = around && line && call.line && isSymbol(callee);
    samples.push_back(
        isKnown ? &around->inlined[locationOf(call.line, line, call.discriminator)][callee.str()]
                : nullptr);
  }
  return samples;
}

void SampleProfileMaker::add(const FunctionCounts &function, const FunctionPlaces &places) {
  std::vector<CodeSamples *> samples = samplesOf(places);
  if (!samples.front()) {
    unknownFunctions_ += function.counts.entries() != 0;
    return;
  }
  samples.front()->head = SaturatingAdd(samples.front()->head, function.counts.entries());
  CopiedCode copies;
  std::set<uint32_t> unknownCalls;
  ReachedFunctions targets = findReachedFunctions(counts_, function, traced_);
  forEachInstruction(module_, function, places, [&](const CountedInstruction &each) {
    CodeSamples *code = samples[each.call];
    if (!code && each.executions)
      unknownCalls.insert(each.call);
    if (!code || !each.line)
      return;
    uint32_t line = places.line;
    if (each.call) {
      uint32_t inlinee = places.calls[each.call - 1].inlinee;
      line = places_.inlinees[inlinee - 1].line;
    }
    CodeSamples::Location location = locationOf(each.line, line, each.discriminator);
    copies.add({each.call, location.first, location.second}, each.discriminator, each.executions);
    if (!each.executions)
      return;
    uint8_t opcode = *each.code.begin;
    if (opcode == "call"_op || opcode == "return_call"_op)
      addCallees(each, ReachedFunction{each.code.index(), 1}, code->body[location]);
    else if (auto known = targets.find(each.offset - places.start); known != targets.end())
      addCallees(each, known->second, code->body[location]);
  });
  unknownInlined_ += unknownCalls.size();
  copies.addUp([&](const CopiedCode::Place &place) -> uint64_t & {
    return samples[place.call]->body[{place.major, place.minor}].count;
  });
}

SampleProfileMaker::SampleProfileMaker(const Coverage &coverage)
    : counts_(coverage.counts), module_(counts_.module()), places_(coverage.places),
      traced_(coverage.traced), names_(module_) {
  forEachLocated(counts_, places_,
                 [&](const FunctionCounts &function, const FunctionPlaces &functionPlaces) {
                   add(function, functionPlaces);
                 });
}

SampleProfile SampleProfileMaker::take() {
  auto add = [&](size_t count, StringRef what, StringRef rest) {
    if (count)
      profile_.notes.push_back(countOf(count, what) + rest.str());
  };
  add(unknownFunctions_, "executed function",
      " not in the profile: without a linkage name or a line in debug information");
  add(unknownInlined_, "executed inlined call",
      " not in the profile: without a linkage name or a line in debug information");
  add(unknownCallees_, "executed call", " without a callee in the profile: it has no linkage name");
  return std::move(profile_);
}

SampleProfile warpo::makeSampleProfile(const Coverage &coverage) {
  return SampleProfileMaker(coverage).take();
}
