//===- OrderBits.cpp - Executed functions, as bits of globals -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "OrderStore.h"
#include "warpo/Wasm/OpcodeNames.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

namespace {

class OrderBits : public OrderStore {
public:
  Error declare(ModuleDeclarations &declarations) override {
    for (uint32_t i = 0; i < declarations.module().functions; i += 64)
      bits_.push_back(declarations.addGlobal(wasm::ValueType::i64, true, 0));
    return Error::success();
  }

  void instrument(const FunctionSite &site, const wasm::CodeSequence &report,
                  wasm::FunctionEdit &edit) const override {
    wasm::GlobalRef bits = bits_[site.number / 64];
    int64_t bit = int64_t(uint64_t(1) << site.number % 64);
    wasm::CodeSequence &code = edit.entry;
    code.globalGet(bits).i64Const(bit).raw(
        {"i64.and"_op, "i64.eqz"_op, "if"_op, wasm::emptyBlockType});
    code.globalGet(bits).i64Const(bit).raw("i64.or"_op).globalSet(bits);
    code.append(report).raw("end"_op);
  }

private:
  std::vector<wasm::GlobalRef> bits_;
};

} // namespace

std::unique_ptr<OrderStore> warpo::makeOrderBits() { return std::make_unique<OrderBits>(); }
