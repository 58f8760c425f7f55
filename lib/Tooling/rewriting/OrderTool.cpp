//===- OrderTool.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Tooling/OrderTool.h"
#include "../common/FormatHint.h"
#include "../common/TerminalStyle.h"
#include "OrderInput.h"
#include "warpo/Order/FunctionOrder.h"
#include "warpo/Order/OrderEvaluation.h"
#include "warpo/Report/TableFormat.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/OutputFile.h"
#include "warpo/Toolchain/TextFormat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace warpo;

// The weights given by --weight-of, by input.
static Expected<StringMap<uint64_t>> parseWeights(const OrderRequest &request) {
  StringMap<uint64_t> weights;
  for (StringRef text : request.weights) {
    auto [input, number] = text.rsplit('=');
    uint64_t weight;
    if (number.getAsInteger(10, weight) || weight == 0)
      return makeError("--weight-of=" + text + ": not an input and how often it counts (as in " +
                       "--weight-of=run.warpo=3)");
    if (!is_contained(request.inputs, input))
      return makeError("--weight-of=" + text + ": '" + input + "' is no input");
    if (!weights.try_emplace(input, weight).second)
      return makeError("--weight-of: '" + input + "' is given two weights");
  }
  return weights;
}

// Prints the first few warnings, and the number of further ones.
static void warnSome(ArrayRef<std::string> messages) {
  static constexpr size_t shown = 10;
  for (const std::string &message : messages.take_front(shown))
    warn(message);
  if (messages.size() > shown)
    warn("and " + countOf(messages.size() - shown, "further warning") + " of this kind");
}

static Error readInputs(const OrderRequest &request, RunReader &reader) {
  auto weights = parseWeights(request);
  if (!weights)
    return weights.takeError();
  StringSet<> seen;
  for (const std::string &input : request.inputs) {
    if (!seen.insert(input).second)
      warn(input + " is given twice, and counts twice");
    auto weight = weights->find(input);
    uint64_t count = weight == weights->end() ? 1 : weight->second;
    if (Error error = reader.read(input, count))
      return error;
  }
  if (reader.runs().empty())
    return makeError("no input has a call of a function of the module");
  return Error::success();
}

// Reports names that were not found, as errors with --strict.
static Expected<ToolResult> reportUnmatched(const RunReader &reader, const OrderModule &module,
                                            const ReadingOptions &options) {
  if (reader.repeated() > 0)
    warn(countOf(reader.repeated(), "function is", "functions are") +
         " named again in a run; the first place counts");
  if (reader.unmatched().empty())
    return reader.result();
  std::vector<std::string> messages = reader.unmatched().messages();
  if (options.strict)
    return fileError(module.fileName(), countOf(messages.size(), "recorded function") +
                                            " not found, the first: " + messages.front());
  for (std::string &message : messages)
    message = module.fileName() + ": " + message;
  warnSome(messages);
  return ToolResult::damaged;
}

static void reportOrder(const OrderRequest &request, const OrderModule &module,
                        ArrayRef<OrderRun> runs, size_t ordered) {
  note("ordered " + Twine(ordered) + " of " + countOf(module.definedCount(), "function") + " by '" +
       request.order + "', from " + countOf(runs.size(), "run") + "; " +
       Twine(module.definedCount() - ordered) + " never ran");
}

namespace {

/// The module of a request, with its bytes.
class RequestedModule {
public:
  static Expected<std::unique_ptr<RequestedModule>> load(const std::string &path) {
    auto buffer = readModuleFile(path);
    if (!buffer)
      return buffer.takeError();
    auto module = OrderModule::create(arrayRefFromStringRef((*buffer)->getBuffer()), path);
    if (!module)
      return module.takeError();
    return std::unique_ptr<RequestedModule>(
        new RequestedModule(std::move(*buffer), std::move(*module)));
  }

  const OrderModule &module() const { return module_; }
  ArrayRef<uint8_t> bytes() const { return arrayRefFromStringRef(buffer_->getBuffer()); }

private:
  RequestedModule(std::unique_ptr<MemoryBuffer> buffer, OrderModule module)
      : buffer_(std::move(buffer)), module_(std::move(module)) {}

  std::unique_ptr<MemoryBuffer> buffer_;
  OrderModule module_;
};

} // namespace

Expected<ToolResult> warpo::writeOrder(const OrderRequest &request, const ReadingOptions &options) {
  auto order = warpo::Registry<FunctionOrder>::create(request.order);
  if (!order)
    return order.takeError();
  auto file = createFormat<OrderFile>(request.format);
  if (!file)
    return file.takeError();
  auto loaded = RequestedModule::load(request.module);
  if (!loaded)
    return loaded.takeError();
  const OrderModule &module = (*loaded)->module();
  auto output = OutputFile::create(request.output, request.format, (*file)->isBinary());
  if (!output)
    return output.takeError();

  auto mapping = readLlvmMapping(request.llvmMapping);
  if (!mapping)
    return mapping.takeError();
  RunReading reading{request.eachStream, (*order)->needsCosts() || (*file)->needsCosts(),
                     request.cost, *mapping ? &**mapping : nullptr};
  RunReader reader(module, (*loaded)->bytes(), options, reading);
  if (Error error = readInputs(request, reader))
    return error;
  auto functions = (*order)->order(module, reader.runs());
  if (!functions)
    return functions.takeError();
  auto result = reportUnmatched(reader, module, options);
  if (!result)
    return result;
  std::vector<std::string> omissions;
  ComputedOrder computed{module, (*loaded)->bytes(), *functions, reader.runs()};
  if (Error error = (*file)->write(computed, request.fileOptions, (*output)->os(), omissions))
    return error;
  if (Error error = (*output)->commit())
    return error;
  warnSome(omissions);
  reportOrder(request, module, reader.runs(), functions->size());
  return omissions.empty() ? *result : std::max(*result, ToolResult::damaged);
}

// One row per run, and one with the sums.
static Table tableOf(ArrayRef<RunEvaluation> runs, StringRef order) {
  Table table;
  table.title = ("start-up with order '" + order + "', in runs that it was not made of").str();
  table.columns = {{"bytes", CellKind::count},   {"new_bytes", CellKind::count},
                   {"pages", CellKind::count},   {"new_pages", CellKind::count},
                   {"touched", CellKind::count}, {"new_touched", CellKind::count},
                   {"unseen", CellKind::count},  {"run", CellKind::text}};
  RunEvaluation sum;
  auto add = [&](const RunEvaluation &run) {
    table.rows.push_back(
        {{run.original.bytes, run.ordered.bytes, run.original.pages, run.ordered.pages,
          run.original.touchedPages, run.ordered.touchedPages, run.unseen, run.name}});
  };
  for (const RunEvaluation &run : runs) {
    add(run);
    for (auto [total, cost] :
         {std::pair(&sum.original, &run.original), std::pair(&sum.ordered, &run.ordered)}) {
      total->bytes += cost->bytes;
      total->pages += cost->pages;
      total->touchedPages += cost->touchedPages;
    }
    sum.unseen += run.unseen;
  }
  sum.name = "(all)";
  add(sum);
  table.notes = {"bytes, pages: of code up to the last function that the run executes; touched: "
                 "pages of 4 KiB with code that it executes; unseen: functions that only it "
                 "executes"};
  return table;
}

Expected<ToolResult> warpo::writeEvaluation(const OrderRequest &request, unsigned groups,
                                            const ReadingOptions &options) {
  auto order = warpo::Registry<FunctionOrder>::create(request.order);
  if (!order)
    return order.takeError();
  auto format = warpo::Registry<TableFormat>::create(request.format);
  if (!format)
    return format.takeError();
  auto loaded = RequestedModule::load(request.module);
  if (!loaded)
    return loaded.takeError();
  auto output = OutputFile::create(request.output);
  if (!output)
    return output.takeError();
  auto mapping = readLlvmMapping(request.llvmMapping);
  if (!mapping)
    return mapping.takeError();
  RunReading reading{request.eachStream, (*order)->needsCosts(), request.cost,
                     *mapping ? &**mapping : nullptr};
  RunReader reader((*loaded)->module(), (*loaded)->bytes(), options, reading);
  if (Error error = readInputs(request, reader))
    return error;
  auto evaluated = evaluateOrder(**order, (*loaded)->module(), reader.runs(), groups);
  if (!evaluated)
    return evaluated.takeError();
  auto result = reportUnmatched(reader, (*loaded)->module(), options);
  if (!result)
    return result;
  (*format)->write(tableOf(*evaluated, request.order), styleFor(request.output), (*output)->os());
  if (Error error = (*output)->commit())
    return error;
  return result;
}
