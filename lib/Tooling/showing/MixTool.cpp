//===- MixTool.cpp --------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Tooling/MixTool.h"
#include "../reading/CountsInput.h"
#include "warpo/Counts/InstructionCounts.h"
#include "warpo/Output/Quantities.h"
#include "warpo/Wasm/FunctionNames.h"
#include "warpo/Wasm/OpcodeClass.h"
#include "warpo/Wasm/TypeNames.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace llvm;
using namespace warpo;

namespace {

/// Sums of executions.
class Mix {
public:
  Mix(const MixRequest &request, const CountsInput &input);

  Table table() const;

private:
  static constexpr uint32_t allFunctions = UINT32_MAX;

  /// The group of an instruction; nothing to omit it.
  std::optional<std::string> groupOf(const wasm::Instruction &instruction) const;

  const MixRequest &request_;
  const wasm::Module &module_;
  wasm::TypeNames types_;
  std::map<std::pair<uint32_t, std::string>, uint64_t> sums_;
  uint64_t total_ = 0;
};

} // namespace

Mix::Mix(const MixRequest &request, const CountsInput &input)
    : request_(request), module_(input.module()), types_(module_) {
  forEachExecuted(input.counts(), [&](uint32_t function, const wasm::Instruction &instruction,
                                      uint64_t executions) {
    std::optional<std::string> group = groupOf(instruction);
    if (!group)
      return;
    uint64_t &sum = sums_[{request_.byFunction ? function : allFunctions, std::move(*group)}];
    sum = SaturatingAdd(sum, executions);
    total_ = SaturatingAdd(total_, executions);
  });
}

std::optional<std::string> Mix::groupOf(const wasm::Instruction &instruction) const {
  if (request_.group == "opcode")
    return instruction.info->name;
  if (request_.group == "class")
    return wasm::classOf(*instruction.info).str();
  if (!wasm::allocates(*instruction.info))
    return std::nullopt;
  return types_[instruction.index()];
}

Table Mix::table() const {
  bool ofTypes = request_.group == "type";
  Table table;
  StringRef one = ofTypes ? "structure or array" : "instruction";
  StringRef many = ofTypes ? "structures and arrays" : "instructions";
  table.title = module_.fileName + ": " + groupDigits(total_) + " " +
                (total_ == 1 ? one : many).str() + (ofTypes ? " allocated" : " executed");
  table.columns = {{ofTypes ? "allocated" : "executed", CellKind::count},
                   {"share", CellKind::share}};
  if (request_.byFunction)
    table.columns.push_back({request_.group, CellKind::text});
  table.columns.push_back({request_.byFunction ? "function" : request_.group, CellKind::text});
  wasm::FunctionNames names(module_);
  for (const auto &[key, executions] : sums_) {
    const auto &[function, group] = key;
    Row row{{executions, double(executions) / double(total_), group}};
    if (request_.byFunction) {
      std::string name = names[function];
      row.cells.push_back(request_.renaming ? request_.renaming(name) : name);
    }
    table.rows.push_back(std::move(row));
  }
  sortRows(table, 0);
  return table;
}

Expected<ToolResult> warpo::writeMix(const MixRequest &request, const ReportRequest &report) {
  auto make = [&]() -> Expected<Table> {
    auto input = CountsInput::read(request.module, report.inputs, request.since);
    if (!input)
      return input.takeError();
    (*input)->reportProblems();
    return Mix(request, **input).table();
  };
  if (Error error = writeTable(report, make))
    return error;
  return ToolResult::done;
}
