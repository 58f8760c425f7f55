//===- OrderTool.cpp ------------------------------------------------------===//

#include "warpo/Tooling/OrderTool.h"
#include "BinaryModule.h"
#include "OrderInput.h"
#include "warpo/Order/FunctionOrder.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/InputStream.h"
#include "warpo/Support/OutputFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace warpo;

// Of each input that --weight-of names, its weight.
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

// Tells texts as warnings: the first few, and how many more there are.
static void tellSome(ArrayRef<std::string> messages) {
  static constexpr size_t told = 10;
  for (const std::string &message : messages.take_front(told))
    warn(message);
  if (messages.size() > told)
    warn("and " + countOf(messages.size() - told, "further warning") + " of this kind");
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
    if (Error error = reader.read(input, weight == weights->end() ? 1 : weight->second))
      return error;
  }
  return Error::success();
}

// What was not found, as --strict wants it.
static Expected<ToolResult> tellUnmatched(const RunReader &reader, const OrderModule &module,
                                          const ReadingOptions &options) {
  if (reader.unmatched().empty())
    return reader.result();
  std::vector<std::string> messages = reader.unmatched().messages();
  if (options.strict)
    return fileError(module.fileName(), countOf(messages.size(), "recorded function") +
                                            " not found, the first: " + messages.front());
  for (std::string &message : messages)
    message = module.fileName() + ": " + message;
  tellSome(messages);
  return ToolResult::damaged;
}

static void tellOrder(const OrderRequest &request, const OrderModule &module,
                      ArrayRef<OrderRun> runs, size_t ordered) {
  note("ordered " + Twine(ordered) + " of " + countOf(module.definedCount(), "function") + " by '" +
       request.order + "', from " + countOf(runs.size(), "run") + "; " +
       Twine(module.definedCount() - ordered) + " never ran");
}

Expected<ToolResult> warpo::writeOrder(const OrderRequest &request, const ReadingOptions &options) {
  auto order = warpo::Registry<FunctionOrder>::create(request.order);
  if (!order)
    return order.takeError();
  auto file = warpo::Registry<OrderFile>::create(request.format);
  if (!file)
    return file.takeError();
  auto binary = BinaryModule::of(request.module);
  if (!binary)
    return binary.takeError();
  auto bytes = readWholeInput(binary->path());
  if (!bytes)
    return bytes.takeError();
  auto moduleBytes = arrayRefFromStringRef((*bytes)->getBuffer());
  auto module = OrderModule::create(moduleBytes, request.module);
  if (!module)
    return module.takeError();
  auto output = OutputFile::create(request.output, request.format, (*file)->isBinary());
  if (!output)
    return output.takeError();

  RunReading reading{request.eachStream, (*order)->needsCosts() || (*file)->needsCosts(),
                     request.cost};
  RunReader reader(*module, options, reading);
  if (Error error = readInputs(request, reader))
    return error;
  auto functions = (*order)->order(*module, reader.runs());
  if (!functions)
    return functions.takeError();
  auto result = tellUnmatched(reader, *module, options);
  if (!result)
    return result;
  std::vector<std::string> omissions;
  ComputedOrder computed{*module, moduleBytes, *functions, reader.runs()};
  if (Error error = (*file)->write(computed, request.fileOptions, (*output)->os(), omissions))
    return error;
  if (Error error = (*output)->commit())
    return error;
  tellSome(omissions);
  tellOrder(request, *module, reader.runs(), functions->size());
  return omissions.empty() ? *result : std::max(*result, ToolResult::damaged);
}
