//===- OrderDump.cpp - What ran first, by name ----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "SymbolRuns.h"
#include "warpo/Order/FirstExecutions.h"
#include "warpo/Support/Demangle.h"
#include "warpo/Support/DisplayName.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/OutputFile.h"
#include "warpo/Tooling/OrderTool.h"

using namespace llvm;
using namespace warpo;

// Adds up losses by stream.
static void addLost(const RecordBatch &batch, std::vector<uint64_t> &lost) {
  if (batch.stream >= lost.size())
    lost.resize(batch.stream + 1);
  for (const RecordNote &note : batch.notes)
    if (note.kind == NoteKind::lost)
      lost[batch.stream] += note.count;
}

// The name of a function local to a file follows the file's name and a `;`.
static std::string symbolName(StringRef symbol) {
  size_t local = symbol.rfind(';') + 1;
  return displayName(symbol.take_front(local).str() + demangleName(symbol.drop_front(local)));
}

static void dumpRuns(StringRef title, ArrayRef<SymbolRun> runs, raw_ostream &os) {
  for (auto [i, run] : enumerate(runs)) {
    os << "# " << title;
    if (runs.size() > 1)
      os << ", trace " << i + 1;
    os << ": " << countOf(run.symbols.size(), "function");
    if (run.weight > 1)
      os << ", with a weight of " << run.weight;
    os << '\n';
    for (const std::string &symbol : run.symbols)
      os << symbolName(symbol) << '\n';
  }
}

static Error dumpInput(const std::string &path, const OrderFileMapping *mapping,
                       const ReadingOptions &options, raw_ostream &os, ToolResult &worst) {
  auto symbols = readSymbolRuns(path, mapping);
  if (!symbols)
    return symbols.takeError();
  if (*symbols) {
    dumpRuns(inputTitle(path), **symbols, os);
    return Error::success();
  }
  auto record = RecordInput::open(path, options);
  if (!record)
    return alsoKnown(record.takeError(), symbolRunFormats);
  FirstExecutions executions;
  std::vector<uint64_t> lost;
  auto sliced = (*record)->slice(executions, 0, [&](const RecordBatch &batch) {
    addLost(batch, lost);
    return Error::success();
  });
  if (!sliced)
    return sliced.takeError();
  const FunctionTable &functions = (*record)->functions();
  for (StreamIndex stream = 0; stream < executions.streamCount(); ++stream) {
    auto order =
        make_filter_range(executions.of(stream), [&](const FirstExecutions::Execution &execution) {
          return !functions.isSuspension(execution.function);
        });
    auto count = uint64_t(std::distance(order.begin(), order.end()));
    os << "# " << (*record)->title() << ", "
       << functions.describe((*record)->reader().header().streams[stream]) << ": "
       << countOf(count, "function");
    if (stream < lost.size() && lost[stream] > 0)
      os << "; " << lost[stream] << " overwritten or lost, so that their order is unknown";
    os << '\n';
    for (const FirstExecutions::Execution &execution : order)
      os << displayName(functions[execution.function].name) << '\n';
  }
  auto verdict = (*record)->finish();
  if (!verdict)
    return verdict.takeError();
  worst = std::max(worst, *verdict);
  return Error::success();
}

Expected<ToolResult> warpo::dumpExecutions(const OrderRequest &request,
                                           const ReadingOptions &options) {
  auto mapping = readLlvmMapping(request.llvmMapping);
  if (!mapping)
    return mapping.takeError();
  auto output = OutputFile::create(request.output);
  if (!output)
    return output.takeError();
  ToolResult worst = ToolResult::done;
  for (const std::string &input : request.inputs)
    if (Error error =
            dumpInput(input, *mapping ? &**mapping : nullptr, options, (*output)->os(), worst))
      return error;
  if (Error error = (*output)->commit())
    return error;
  return worst;
}
