//===- HintsFile.cpp - The module, with hints for those who compile it ----===//
// SPDX-License-Identifier: Apache-2.0
//
// The sections of WebAssembly's proposal for compilation hints. They stand before the code section
// and replace those that the module had:
//
//   metadata.code.compilation_priority   of each function of the order
//     payload := rank:leb (opt:leb)?     opt: -log2 of its share of all cost; 127 if no run has two
//     calls
//   metadata.code.instr_freq             of calls
//     payload := byte                    log2 of how often for each call of the function, plus 32,
//                                        from 1 to 64
//   metadata.code.call_targets           of calls through tables and references
//     payload := (function:leb percent:leb)*
//
// A record says which function called which, not where. So there is a hint only if that is
// sufficient: for the one call of a function in another's code, and for the one call in it through
// a table.
//
// V8 inlines at most 60 calls with hints into a function. Without a baseline compiler
// (--no-liftoff) it also inlines some calls without hints of the functions that it has inlined. It
// can count only 64 and ends the process at the next. So each function that a hint names gets a
// hint of its own: that its first instruction runs once a call, which is always true.
//
//===----------------------------------------------------------------------===//

#include "CallSites.h"
#include "warpo/Order/OrderFile.h"
#include "warpo/Wasm/CodeHints.h"
#include "warpo/Wasm/ReferencedFunctions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <map>

using namespace llvm;
using namespace warpo;

// Optimization priorities: of a function that runs once, and the least of one that runs more often.
static constexpr unsigned runsOnce = 127;
static constexpr unsigned leastOptimized = 126;
// The frequency of what runs once in each call of its function.
static constexpr char onceACall = 32;

namespace {

/// The sums over all runs, each counted as often as its weight.
struct Sums {
  std::vector<uint64_t> calls;
  std::vector<uint64_t> self;
  /// Functions that some run called more than once.
  std::vector<bool> repeated;
  uint64_t allSelf = 0;
  /// By caller.
  std::vector<std::map<uint32_t, uint64_t>> callees;
  bool hasEdges = false;

  Sums(const OrderModule &module, ArrayRef<OrderRun> runs)
      : calls(module.size()), self(module.size()), repeated(module.size()), callees(module.size()) {
    auto add = [](uint64_t &sum, uint64_t value, uint64_t weight) {
      sum = SaturatingMultiplyAdd(value, weight, sum);
    };
    for (const OrderRun &run : runs) {
      for (const FunctionCost &cost : run.costs) {
        add(calls[cost.function], cost.calls, run.weight);
        add(self[cost.function], cost.self, run.weight);
        add(allSelf, cost.self, run.weight);
        if (cost.calls > 1)
          repeated[cost.function] = true;
      }
      for (const CallEdge &edge : run.edges) {
        add(callees[edge.caller][edge.callee], edge.calls, run.weight);
        hasEdges = true;
      }
    }
  }
};

/// Collects the hints of one function's calls.
class CallHints {
public:
  CallHints(const wasm::Module &module, const Sums &sums, uint32_t caller, ArrayRef<CallSite> sites)
      : module_(module), sums_(sums), caller_(caller), sites_(sites) {
    for (const CallSite &site : sites)
      if (site.callee)
        ++directSites_[*site.callee];
      else
        ++indirectSites_;
  }

  /// Appends the functions that the hints name to `called`.
  void add(wasm::CodeHints &frequencies, wasm::CodeHints &targets,
           std::vector<uint32_t> &called) const {
    for (const CallSite &site : sites_) {
      if (site.callee) {
        // It is unknown how often functions that are not recorded are called.
        if (directSites_.at(*site.callee) != 1 || sums_.calls[*site.callee] == 0)
          continue;
        frequencies[caller_][site.offset] = frequency(callsOf(*site.callee));
        called.push_back(*site.callee);
      } else if (indirectSites_ == 1) {
        addIndirect(site, frequencies, targets, called);
      }
    }
  }

private:
  uint64_t callsOf(uint32_t callee) const {
    auto known = sums_.callees[caller_].find(callee);
    return known == sums_.callees[caller_].end() ? 0 : known->second;
  }
  // 0 would mean: never optimise the call. A call that was not executed is only rare.
  std::string frequency(uint64_t calls) const {
    double ratio = double(calls) / double(sums_.calls[caller_]);
    double scaled = std::floor(std::log2(ratio)) + onceACall;
    return std::string(1, char(std::clamp(scaled, 1.0, 64.0)));
  }
  // Rounded down, so that all percentages are 100 at most.
  static uint64_t percentOf(uint64_t part, uint64_t all) {
    return all > UINT64_MAX / 100 ? std::min<uint64_t>(part / (all / 100), 100) : part * 100 / all;
  }
  void addIndirect(const CallSite &site, wasm::CodeHints &frequencies, wasm::CodeHints &targets,
                   std::vector<uint32_t> &named) const {
    std::vector<std::pair<uint64_t, uint32_t>> called;
    uint64_t all = 0;
    for (auto [callee, calls] : sums_.callees[caller_])
      // A callee of another type was called on the caller's behalf: by an import that is not
      // recorded, or by a tail call of another callee.
      if (!directSites_.contains(callee) && wasm::mayReach(module_, site.type, callee)) {
        called.push_back({calls, callee});
        all = SaturatingAdd(all, calls);
      }
    if (all == 0)
      return;
    frequencies[caller_][site.offset] = frequency(all);
    llvm::sort(called, [](const auto &a, const auto &b) {
      return std::tuple(b.first, a.second) < std::tuple(a.first, b.second);
    });
    std::string payload;
    for (auto [calls, callee] : called)
      if (uint64_t percent = percentOf(calls, all)) {
        payload += wasm::hintNumber(callee) + wasm::hintNumber(percent);
        named.push_back(callee);
      }
    if (!payload.empty())
      targets[caller_][site.offset] = payload;
  }

  const wasm::Module &module_;
  const Sums &sums_;
  uint32_t caller_;
  ArrayRef<CallSite> sites_;
  std::map<uint32_t, unsigned> directSites_;
  unsigned indirectSites_ = 0;
};

/// Gives a hint to those of `called`, the functions that hints name, that make calls and have no
/// hint.
Error completeFrequencies(const wasm::Module &module, std::vector<uint32_t> called,
                          wasm::CodeHints &frequencies) {
  while (!called.empty()) {
    uint32_t function = called.back();
    called.pop_back();
    if (module.isImported(function) || frequencies.count(function))
      continue;
    auto entry = entryOfCaller(module, function);
    if (!entry)
      return entry.takeError();
    if (!*entry)
      continue;
    frequencies[function][(*entry)->offset] = std::string(1, onceACall);
    if ((*entry)->callee)
      called.push_back(*(*entry)->callee);
  }
  return Error::success();
}

wasm::FunctionHints priorities(const ComputedOrder &order, const Sums &sums) {
  wasm::FunctionHints hints;
  for (size_t rank = 0; rank != order.functions.size(); ++rank) {
    uint32_t function = order.functions[rank];
    std::string payload = wasm::hintNumber(rank);
    // Records of first executions know nothing of costs.
    if (sums.hasEdges && sums.calls[function] > 0 && !sums.repeated[function])
      payload += wasm::hintNumber(runsOnce);
    else if (sums.hasEdges && sums.self[function] > 0)
      payload += wasm::hintNumber(std::min<uint64_t>(
          leastOptimized, uint64_t(std::log2(double(sums.allSelf) / double(sums.self[function])))));
    hints[function] = payload;
  }
  return hints;
}

void writeSection(raw_ostream &os, StringRef name, ArrayRef<uint8_t> contents) {
  std::string nameSize = wasm::hintNumber(name.size());
  os << '\0' << wasm::hintNumber(nameSize.size() + name.size() + contents.size()) << nameSize
     << name << toStringRef(contents);
}

class HintsFile : public OrderFile {
public:
  bool isBinary() const override { return true; }
  bool needsCosts() const override { return true; }

  Error write(const ComputedOrder &order, const OrderFileOptions &, raw_ostream &os,
              std::vector<std::string> &omissions) const override {
    // Shares of a sum of fuel and time would say nothing.
    if (Error error = sumCosts(order.module, order.runs).takeError())
      return error;
    auto module = wasm::readModule(order.moduleBytes, order.module.fileName());
    if (!module)
      return module.takeError();
    if (module->findCustomSection("sourceMappingURL"))
      omissions.push_back(
          "the source map is for the module without hints: its offsets of code are too small");
    Sums sums(order.module, order.runs);
    wasm::CodeHints frequencies, targets;
    std::vector<uint32_t> called;
    for (uint32_t i = module->importedFunctionCount(); i != module->functionCount(); ++i) {
      if (sums.calls[i] == 0 || !sums.hasEdges)
        continue;
      auto sites = callSitesOf(*module, i);
      if (!sites)
        return sites.takeError();
      CallHints(*module, sums, i, *sites).add(frequencies, targets, called);
    }
    if (Error error = completeFrequencies(*module, std::move(called), frequencies))
      return error;
    writeModule(*module, os, [&] {
      if (!order.functions.empty())
        writeSection(os, wasm::prioritySection, wasm::encodeFunctionHints(priorities(order, sums)));
      for (const auto &[name, hints] : {std::pair(wasm::frequencySection, &frequencies),
                                        std::pair(wasm::callTargetsSection, &targets)})
        if (!hints->empty())
          writeSection(os, name, wasm::encodeCodeHints(*hints));
    });
    return Error::success();
  }

private:
  static void writeModule(const wasm::Module &module, raw_ostream &os,
                          function_ref<void()> writeHints) {
    // Magic and version.
    os << toStringRef(module.bytes.take_front(8));
    for (const wasm::Section &section : module.sections) {
      if (section.id == wasm::SectionId::code)
        writeHints();
      bool isReplaced =
          section.id == wasm::SectionId::custom &&
          is_contained({wasm::prioritySection, wasm::frequencySection, wasm::callTargetsSection},
                       section.name);
      if (!isReplaced)
        os << toStringRef(section.whole.bytes);
    }
  }
};

warpo::Registry<OrderFile>::Add<HintsFile>
    registration("hints", "the module with compilation hints: priorities, frequencies, targets");

} // namespace
