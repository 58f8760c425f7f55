//===- ProftextFile.cpp - The runs as LLVM's temporal profile traces ------===//
// SPDX-License-Identifier: Apache-2.0
//
//   file     := ":ir\n:temporal_prof_traces\n" count "\n" count "\n" trace* function*
//   trace    := weight "\n" name ("," name)* "\n"
//   function := name "\n0\n1\n1\n\n"            hash, number of counters, the counter
//
// It has the runs, not the order: llvm-profdata and lld make their own of them. Every function of a
// trace needs a record of its own.
//
//===----------------------------------------------------------------------===//

#include "Names.h"
#include "SymbolNames.h"
#include "warpo/Support/DisplayName.h"
#include "warpo/Support/Errors.h"

using namespace llvm;
using namespace warpo;

// A comma ends a name, and what begins with `#` or `:` is no name.
static bool isTraceable(StringRef name) {
  return fitsTrimmedLine(name) && !name.starts_with("#") && !name.starts_with(":") &&
         !name.contains(',');
}

namespace {

class ProftextFile : public OrderFile {
public:
  Error write(const ComputedOrder &order, const OrderFileOptions &options, raw_ostream &os,
              std::vector<std::string> &omissions) const override {
    size_t sums =
        llvm::count_if(order.runs, [](const OrderRun &run) { return run.functions.empty(); });
    if (sums == order.runs.size())
      return makeError("traces need records: saved profiles do not say what ran first");
    if (sums > 0)
      omissions.push_back(countOf(sums, "saved profile is", "saved profiles are") +
                          " in no trace: they do not say what ran first");
    auto names = symbolNames(order, options);
    if (!names)
      return names.takeError();
    StringSet<> known;
    std::vector<StringRef> functions;
    for (uint32_t function : order.functions) {
      StringRef name = (*names)[function];
      if (!isTraceable(name))
        omissions.push_back("no trace can hold the symbol '" + displayName(name) + "'");
      else if (known.insert(name).second)
        functions.push_back(name);
    }
    std::vector<const OrderRun *> runs;
    for (const OrderRun &run : order.runs)
      if (any_of(run.functions,
                 [&](uint32_t function) { return known.contains((*names)[function]); }))
        runs.push_back(&run);
    os << ":ir\n:temporal_prof_traces\n" << runs.size() << '\n' << runs.size() << '\n';
    for (const OrderRun *run : runs)
      writeTrace(*run, *names, known, os);
    for (StringRef name : functions)
      os << name << "\n0\n1\n1\n\n";
    return Error::success();
  }

private:
  static void writeTrace(const OrderRun &run, ArrayRef<std::string> names, const StringSet<> &known,
                         raw_ostream &os) {
    os << run.weight << '\n';
    StringSet<> written;
    for (uint32_t function : run.functions) {
      StringRef name = names[function];
      if (!known.contains(name) || !written.insert(name).second)
        continue;
      os << (written.size() > 1 ? "," : "") << name;
    }
    os << '\n';
  }
};

warpo::Registry<OrderFile>::Add<ProftextFile>
    registration("proftext", "the runs as temporal profile traces, for llvm-profdata");

} // namespace
