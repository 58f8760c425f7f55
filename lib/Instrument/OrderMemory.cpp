//===- OrderMemory.cpp - The order of first executions, in a memory -------===//
// SPDX-License-Identifier: Apache-2.0
//
// A bit for each function and a ring of ids, exported in the form that docs/order.md describes.
//
//===----------------------------------------------------------------------===//

#include "MemoryAccess.h"
#include "OrderStore.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "warpo/Wasm/OrderArtifacts.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

namespace {

/// Offsets in the memory: see docs/order.md.
constexpr uint32_t loggedOffset = 32, entriesOffset = 40;

class OrderMemory : public OrderStore {
public:
  explicit OrderMemory(uint32_t capacity) : capacity_(capacity) {}

  Error declare(ModuleDeclarations &declarations) override;
  void instrument(const FunctionSite &site, const wasm::CodeSequence &report,
                  wasm::FunctionEdit &edit) const override;

private:
  void access(wasm::CodeSequence &code, ArrayRef<uint8_t> opcode, uint8_t alignment,
              uint32_t offset) const {
    accessMemory(code, opcode, alignment, memory_, offset);
  }
  void log(int32_t id, wasm::CodeSequence &code) const;

  const uint32_t capacity_;
  uint32_t memory_ = 0;
  bool isShared_ = false;
  uint32_t bitsOffset_ = 0;
};

} // namespace

// The head of the dump, up to the entries.
static SmallVector<uint8_t, entriesOffset> encodeHead(const ModuleFacts &module,
                                                      uint32_t capacity) {
  SmallVector<uint8_t, entriesOffset> head(StringRef("WRPORDER").bytes_begin(),
                                           StringRef("WRPORDER").bytes_end());
  head.resize(entriesOffset);
  support::endian::write32le(&head[8], 1); // version
  support::endian::write32le(&head[12], capacity);
  support::endian::write64le(&head[16], module.moduleId);
  support::endian::write32le(&head[24], uint32_t(module.firstId));
  support::endian::write32le(&head[28], module.functions);
  return head;
}

Error OrderMemory::declare(ModuleDeclarations &declarations) {
  const ModuleFacts &module = declarations.module();
  bitsOffset_ = entriesOffset + capacity_ * 4;
  uint64_t size = uint64_t(bitsOffset_) + divideCeil(module.functions, 8);
  auto memory = declarations.addMemory(wasm::orderDumpExport, size, encodeHead(module, capacity_));
  if (!memory)
    return memory.takeError();
  memory_ = *memory;
  isShared_ = module.hasSharedMemory;
  declarations.addArtifact(wasm::orderDumpArtifact(size));
  return Error::success();
}

// Appends entry[logged++ % capacity] = id.
void OrderMemory::log(int32_t id, wasm::CodeSequence &code) const {
  code.i32Const(0);
  if (isShared_) {
    code.i32Const(1);
    access(code, "i32.atomic.rmw.add"_atomic_op, 2, loggedOffset);
  } else {
    access(code, "i32.load"_op, 2, loggedOffset);
  }
  code.i32Const(int32_t(capacity_)).raw("i32.rem_u"_op).i32Const(2).raw("i32.shl"_op).i32Const(id);
  access(code, "i32.store"_op, 2, entriesOffset);
  if (isShared_)
    return;
  code.i32Const(0).i32Const(0);
  access(code, "i32.load"_op, 2, loggedOffset);
  code.i32Const(1).raw("i32.add"_op);
  access(code, "i32.store"_op, 2, loggedOffset);
}

// If the memory is shared, several threads may pass the first test; the one that sets the bit goes
// on.
void OrderMemory::instrument(const FunctionSite &site, const wasm::CodeSequence &report,
                             wasm::FunctionEdit &edit) const {
  uint32_t offset = bitsOffset_ + site.number / 8;
  int32_t bit = 1 << site.number % 8;
  wasm::CodeSequence &code = edit.entry;
  code.i32Const(0);
  access(code, "i32.load8_u"_op, 0, offset);
  code.i32Const(bit).raw({"i32.and"_op, "i32.eqz"_op, "if"_op, wasm::emptyBlockType});
  code.i32Const(0);
  if (isShared_) {
    code.i32Const(bit);
    access(code, "i32.atomic.rmw8.or_u"_atomic_op, 0, offset);
    code.i32Const(bit).raw({"i32.and"_op, "i32.eqz"_op, "if"_op, wasm::emptyBlockType});
  } else {
    code.i32Const(0);
    access(code, "i32.load8_u"_op, 0, offset);
    code.i32Const(bit).raw("i32.or"_op);
    access(code, "i32.store8"_op, 0, offset);
  }
  if (capacity_)
    log(site.id, code);
  code.append(report);
  if (isShared_)
    code.raw("end"_op);
  code.raw("end"_op);
}

std::unique_ptr<OrderStore> warpo::makeOrderMemory(uint32_t capacity) {
  return std::make_unique<OrderMemory>(capacity);
}
