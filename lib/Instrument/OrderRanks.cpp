//===- OrderRanks.cpp - The order of first executions, in globals ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// Each function has a global. Until the function runs, it holds minus the function's id, by which
// readers of the code recognise the function; afterwards it holds the function's rank, from 1 on.
// An exported function returns the globals to the host by number.
//
//===----------------------------------------------------------------------===//

#include "OrderStore.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "warpo/Wasm/OrderArtifacts.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

namespace {

class OrderRanks : public OrderStore {
public:
  Error declare(ModuleDeclarations &declarations) override;
  void instrument(const FunctionSite &site, const wasm::CodeSequence &report,
                  wasm::FunctionEdit &edit) const override;

private:
  wasm::GlobalRef last_;
  /// That of the first function; the others follow.
  wasm::GlobalRef ranks_;
};

} // namespace

Error OrderRanks::declare(ModuleDeclarations &declarations) {
  const ModuleFacts &module = declarations.module();
  last_ = declarations.addGlobal(wasm::ValueType::i32, true, 0);
  for (uint32_t i = 0; i != module.functions; ++i) {
    wasm::GlobalRef rank =
        declarations.addGlobal(wasm::ValueType::i32, true, -int64_t(module.firstId) - i);
    if (i == 0)
      ranks_ = rank;
  }
  if (Error error = declarations.addExportedNumbers(wasm::orderRankExport, wasm::ValueType::i32,
                                                    ranks_, module.functions))
    return error;
  declarations.addArtifact(wasm::orderRanksArtifact(module.functions));
  return Error::success();
}

void OrderRanks::instrument(const FunctionSite &site, const wasm::CodeSequence &report,
                            wasm::FunctionEdit &edit) const {
  wasm::GlobalRef rank{ranks_.origin, ranks_.index + site.number};
  wasm::CodeSequence &code = edit.entry;
  code.globalGet(rank).i32Const(0).raw({"i32.lt_s"_op, "if"_op, wasm::emptyBlockType});
  code.globalGet(last_)
      .i32Const(1)
      .raw("i32.add"_op)
      .globalSet(last_)
      .globalGet(last_)
      .globalSet(rank);
  code.append(report).raw("end"_op);
}

std::unique_ptr<OrderStore> warpo::makeOrderRanks() { return std::make_unique<OrderRanks>(); }
