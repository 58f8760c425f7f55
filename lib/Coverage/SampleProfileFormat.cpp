//===- SampleProfileFormat.cpp - A sample profile for LLVM's compilers ----===//
// SPDX-License-Identifier: Apache-2.0
//
// The text form, which clang's -fprofile-sample-use= takes and llvm-profdata turns into others:
//
//   function := name ":" total ":" head "\n" item*
//   item     := " "+ location ":" " " count (" " callee ":" count)* "\n"
//             | " "+ location ":" " " callee ":" total "\n" item*          what is inlined there
//   location := offset ("." discriminator)?
//
// An item has one blank more than what it belongs to. An offset counts lines from that of the
// function's declaration. Names are those of the linker, as in the compiler's intermediate code.
//
//===----------------------------------------------------------------------===//

#include "warpo/Coverage/CountedCode.h"
#include "warpo/Coverage/CoverageFormat.h"
#include "warpo/Support/ByteCursor.h"
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

/// Of a function, or of a call that was inlined.
struct CodeSamples {
  using Location = std::pair<uint32_t, uint32_t>;
  struct Body {
    uint64_t count = 0;
    std::map<std::string, uint64_t> callees = {};
  };

  uint64_t head = 0;
  std::map<Location, Body> body = {};
  std::map<Location, std::map<std::string, CodeSamples>> inlined = {};

  uint64_t total() const;
  void write(unsigned depth, raw_ostream &os) const;
};

class SampleProfile {
public:
  SampleProfile(const ModuleCounts &counts, const ModulePlaces &places);

  void write(raw_ostream &os) const;
  std::vector<std::string> notes() const;

private:
  void add(const FunctionCounts &function, const FunctionPlaces &places);
  std::vector<CodeSamples *> samplesOf(const FunctionPlaces &places);
  std::string nameOf(const FunctionPlaces &places) const;
  std::string calleeOf(const wasm::Instruction &call) const;

  const wasm::Module &module_;
  const ModulePlaces &places_;
  wasm::FunctionNames names_;
  std::map<std::string, CodeSamples> functions_;
  /// Of executed code: functions and inlined calls without a name or line, and calls in the code of
  /// functions that no linker knows by name.
  size_t unknownFunctions_ = 0, unknownInlined_ = 0, unknownCallees_ = 0;
};

class SampleProfileFormat : public CoverageFormat {
public:
  void write(const Coverage &coverage, raw_ostream &os) override {
    SampleProfile profile(coverage.counts, coverage.places);
    profile.write(os);
    notes_ = profile.notes();
  }
  std::vector<std::string> notes() const override { return notes_; }

private:
  std::vector<std::string> notes_;
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

static raw_ostream &writeLocation(const CodeSamples::Location &location, unsigned depth,
                                  raw_ostream &os) {
  os.indent(depth) << location.first;
  if (location.second)
    os << '.' << location.second;
  return os << ": ";
}

void CodeSamples::write(unsigned depth, raw_ostream &os) const {
  for (const auto &[location, each] : body) {
    writeLocation(location, depth, os) << each.count;
    for (const auto &[callee, count] : each.callees)
      os << ' ' << callee << ':' << count;
    os << '\n';
  }
  for (const auto &[location, calls] : inlined)
    for (const auto &[name, call] : calls) {
      writeLocation(location, depth, os) << name << ':' << call.total() << '\n';
      call.write(depth + 1, os);
    }
}

// Compilers count in 16 bits, also from a line behind, as in an included file.
static CodeSamples::Location locationOf(uint32_t line, uint32_t functionLine,
                                        uint32_t discriminator) {
  return {(line - functionLine) & 0xffff, decodeDiscriminator(discriminator).base};
}

// Whether it can be the name of a function in the file, and is no demangled one.
static bool isSymbol(StringRef name) {
  return !name.empty() &&
         all_of(name, [](char c) { return isAlnum(c) || StringRef("_.$@").contains(c); });
}

// Debug information calls clang's `__main_argc_argv` as the source does.
std::string SampleProfile::nameOf(const FunctionPlaces &places) const {
  StringRef name = places_.name(places.name);
  return name.empty() || name == "main" ? names_[places.index] : name.str();
}

std::string SampleProfile::calleeOf(const wasm::Instruction &call) const {
  ByteCursor cursor(ArrayRef(call.immediates, call.end));
  uint32_t index = cursor.uleb32();
  if (index >= module_.functionCount())
    return "";
  auto known = partition_point(places_.functions,
                               [=](const FunctionPlaces &each) { return each.index < index; });
  if (known != places_.functions.end() && known->index == index)
    return nameOf(*known);
  return names_[index];
}

// By number of the call, that of the function itself first; null where nothing is known of it.
std::vector<CodeSamples *> SampleProfile::samplesOf(const FunctionPlaces &places) {
  std::string name = nameOf(places);
  std::vector<CodeSamples *> samples{isSymbol(name) && places.line ? &functions_[name] : nullptr};
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

void SampleProfile::add(const FunctionCounts &function, const FunctionPlaces &places) {
  std::vector<CodeSamples *> samples = samplesOf(places);
  if (!samples.front()) {
    unknownFunctions_ += function.counts.entries() != 0;
    return;
  }
  samples.front()->head = SaturatingAdd(samples.front()->head, function.counts.entries());
  CopiedCode copies;
  std::set<uint32_t> unknownCalls;
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
    if (uint8_t opcode = *each.code.begin; opcode != "call"_op && opcode != "return_call"_op)
      return;
    if (!each.executions)
      return;
    std::string callee = calleeOf(each.code);
    if (!isSymbol(callee)) {
      ++unknownCallees_;
      return;
    }
    uint64_t &sum = code->body[location].callees[callee];
    sum = SaturatingAdd(sum, each.executions);
  });
  unknownInlined_ += unknownCalls.size();
  copies.addUp([&](const CopiedCode::Place &place) -> uint64_t & {
    return samples[place.call]->body[{place.major, place.minor}].count;
  });
}

SampleProfile::SampleProfile(const ModuleCounts &counts, const ModulePlaces &places)
    : module_(counts.module()), places_(places), names_(counts.module()) {
  forEachLocated(counts, places,
                 [&](const FunctionCounts &function, const FunctionPlaces &functionPlaces) {
                   add(function, functionPlaces);
                 });
}

void SampleProfile::write(raw_ostream &os) const {
  for (const auto &[name, function] : functions_) {
    os << name << ':' << function.total() << ':' << function.head << '\n';
    function.write(1, os);
  }
}

std::vector<std::string> SampleProfile::notes() const {
  std::vector<std::string> notes;
  auto add = [&](size_t count, StringRef what, StringRef rest) {
    if (count)
      notes.push_back(countOf(count, what) + rest.str());
  };
  add(unknownFunctions_, "executed function",
      " not in the profile: without a linkage name or a line in debug information");
  add(unknownInlined_, "executed inlined call",
      " not in the profile: without a linkage name or a line in debug information");
  add(unknownCallees_, "executed call", " without a callee in the profile: it has no linkage name");
  return notes;
}

static warpo::Registry<CoverageFormat>::Add<SampleProfileFormat>
    registration("sample-profile", "for clang's -fprofile-sample-use and llvm-profdata --sample");
