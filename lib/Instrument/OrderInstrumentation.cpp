//===- OrderInstrumentation.cpp - Which function runs first, which next ---===//
//
// A bit for each function says whether it has run. An entry tests it: one load and one branch. Only
// the first execution goes further: it sets the bit and is logged, as a call that ends at once, by
// ordinary trace points; so every engine, recorder and tool does.
//
// The bits lie in globals of 64, or in a memory of their own. That memory can hold the log too, for
// engines that have nothing to be called: a ring of ids, exported in the form that docs/order.md
// describes.
//
//===----------------------------------------------------------------------===//

#include "warpo/Instrument/Instrumentation.h"
#include "warpo/Support/Errors.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/LEB128.h"

using namespace llvm;
using namespace warpo;

namespace {

enum Opcode : uint8_t {
  ifCode = 0x04,
  endCode = 0x0b,
  i32Load = 0x28,
  i32Load8U = 0x2d,
  i32Store = 0x36,
  i32Store8 = 0x3a,
  emptyBlockType = 0x40,
  i32Eqz = 0x45,
  i64Eqz = 0x50,
  i32Add = 0x6a,
  i32RemU = 0x70,
  i32And = 0x71,
  i32Or = 0x72,
  i32Shl = 0x74,
  i64And = 0x83,
  i64Or = 0x84,
  atomicPrefix = 0xfe,
};
/// Behind the prefix.
enum AtomicOpcode : uint8_t { i32AtomicRmwAdd = 0x1e, i32AtomicRmw8OrU = 0x35 };

/// Where things lie in the memory: see docs/order.md.
constexpr uint32_t loggedOffset = 32, entriesOffset = 40;

constexpr uint32_t maxBuffer = 1 << 28;

class OrderInstrumentation : public Instrumentation {
public:
  InstrumentationNeeds needs(const InstrumentationSettings &) const override {
    return {.functions = true, .entryLog = true, .orderSettings = true};
  }

  Error declare(ModuleDeclarations &declarations) override;
  void instrument(const FunctionSite &site, wasm::FunctionEdit &edit) const override;

private:
  Error declareMemory(ModuleDeclarations &declarations);
  void access(wasm::CodeSequence &code, ArrayRef<uint8_t> opcode, uint8_t alignment,
              uint32_t offset) const;
  void log(int32_t id, wasm::CodeSequence &code) const;
  void logInBuffer(int32_t id, wasm::CodeSequence &code) const;
  void instrumentWithGlobals(const FunctionSite &site, wasm::FunctionEdit &edit) const;
  void instrumentWithMemory(const FunctionSite &site, wasm::FunctionEdit &edit) const;

  wasm::FunctionRef tracePoint_;
  std::optional<wasm::GlobalRef> fuel_;
  /// 64 bits each; empty if there is a memory.
  std::vector<wasm::GlobalRef> bits_;
  std::optional<uint32_t> memory_;
  bool isShared_ = false;
  uint32_t capacity_ = 0;
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

Error OrderInstrumentation::declareMemory(ModuleDeclarations &declarations) {
  const ModuleFacts &module = declarations.module();
  if (capacity_ > maxBuffer)
    return makeError("--order-buffer=" + Twine(capacity_) + " is more than " + Twine(maxBuffer));
  bitsOffset_ = entriesOffset + capacity_ * 4;
  uint64_t size = uint64_t(bitsOffset_) + divideCeil(module.functions, 8);
  auto memory = declarations.addMemory(wasm::orderDumpExport, size, encodeHead(module, capacity_));
  if (!memory)
    return memory.takeError();
  memory_ = *memory;
  isShared_ = module.hasSharedMemory;
  return Error::success();
}

Error OrderInstrumentation::declare(ModuleDeclarations &declarations) {
  const InstrumentationSettings &settings = declarations.settings();
  if (settings.orderBuffer) {
    capacity_ = *settings.orderBuffer;
    if (!capacity_)
      return makeError("--order-buffer=0 has no room for any function");
    if (!settings.orderInMemory.value_or(true))
      return makeError("--order-buffer and --order-memory=globals exclude each other: the buffer "
                       "lies in a memory");
  } else {
    fuel_ = declarations.fuel();
    tracePoint_ = declarations.importHostCall(fuel_ ? wasm::HostCall::tracePointFuel
                                                    : wasm::HostCall::tracePoint);
  }
  if (settings.orderInMemory.value_or(capacity_ != 0))
    return declareMemory(declarations);
  for (uint32_t i = 0; i < declarations.module().functions; i += 64)
    bits_.push_back(declarations.addGlobal(wasm::ValueType::i64, true, 0));
  return Error::success();
}

// An access of the memory; the address is on the stack. The alignment is its logarithm.
void OrderInstrumentation::access(wasm::CodeSequence &code, ArrayRef<uint8_t> opcode,
                                  uint8_t alignment, uint32_t offset) const {
  const uint8_t hasMemory = 0x40;
  uint8_t number[10];
  code.raw(opcode);
  code.raw(uint8_t(*memory_ ? alignment | hasMemory : alignment));
  if (*memory_)
    code.raw({number, encodeULEB128(*memory_, number)});
  code.raw({number, encodeULEB128(offset, number)});
}

// Takes a place in the ring and writes the id there: entry[logged++ % capacity] = id.
void OrderInstrumentation::logInBuffer(int32_t id, wasm::CodeSequence &code) const {
  code.i32Const(0);
  if (isShared_) {
    code.i32Const(1);
    access(code, {atomicPrefix, i32AtomicRmwAdd}, 2, loggedOffset);
  } else {
    access(code, i32Load, 2, loggedOffset);
  }
  code.i32Const(int32_t(capacity_)).raw(i32RemU).i32Const(2).raw(i32Shl).i32Const(id);
  access(code, i32Store, 2, entriesOffset);
  if (isShared_)
    return;
  code.i32Const(0).i32Const(0);
  access(code, i32Load, 2, loggedOffset);
  code.i32Const(1).raw(i32Add);
  access(code, i32Store, 2, loggedOffset);
}

void OrderInstrumentation::log(int32_t id, wasm::CodeSequence &code) const {
  if (capacity_)
    return logInBuffer(id, code);
  for (int32_t point : {id, -id}) {
    code.i32Const(point);
    if (fuel_)
      code.globalGet(*fuel_);
    code.call(tracePoint_);
  }
}

void OrderInstrumentation::instrumentWithGlobals(const FunctionSite &site,
                                                 wasm::FunctionEdit &edit) const {
  wasm::GlobalRef bits = bits_[site.number / 64];
  int64_t bit = int64_t(uint64_t(1) << site.number % 64);
  wasm::CodeSequence &code = edit.entry;
  code.globalGet(bits).i64Const(bit).raw({i64And, i64Eqz, ifCode, emptyBlockType});
  code.globalGet(bits).i64Const(bit).raw(i64Or).globalSet(bits);
  log(site.id, code);
  code.raw(endCode);
  edit.entryLabels = 1;
}

// In a shared memory the first test may be passed by several threads; one of them sets the bit.
void OrderInstrumentation::instrumentWithMemory(const FunctionSite &site,
                                                wasm::FunctionEdit &edit) const {
  uint32_t offset = bitsOffset_ + site.number / 8;
  int32_t bit = 1 << site.number % 8;
  wasm::CodeSequence &code = edit.entry;
  code.i32Const(0);
  access(code, i32Load8U, 0, offset);
  code.i32Const(bit).raw({i32And, i32Eqz, ifCode, emptyBlockType});
  code.i32Const(0);
  if (isShared_) {
    code.i32Const(bit);
    access(code, {atomicPrefix, i32AtomicRmw8OrU}, 0, offset);
    code.i32Const(bit).raw({i32And, i32Eqz, ifCode, emptyBlockType});
  } else {
    code.i32Const(0);
    access(code, i32Load8U, 0, offset);
    code.i32Const(bit).raw(i32Or);
    access(code, i32Store8, 0, offset);
  }
  log(site.id, code);
  if (isShared_)
    code.raw(endCode);
  code.raw(endCode);
  edit.entryLabels = isShared_ ? 2 : 1;
}

void OrderInstrumentation::instrument(const FunctionSite &site, wasm::FunctionEdit &edit) const {
  if (memory_)
    instrumentWithMemory(site, edit);
  else
    instrumentWithGlobals(site, edit);
}

static warpo::Registry<Instrumentation>::Add<OrderInstrumentation>
    registration("order", "which function runs first, which next: a trace point each");
