//===- ExportedGuestStack.cpp - Guests that tell their stack --------------===//
//
// The module exports `warpo_guest_stack(address, size) -> size`, which writes the names of the
// guest's frames, innermost first, with a zero byte between them, and returns how many bytes they
// take. js/recorder/guest-stack.mjs does the same in V8.
//
//===----------------------------------------------------------------------===//

#include "warpo/Engine/GuestStack.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;

namespace {

constexpr StringLiteral exportName = "warpo_guest_stack";
constexpr uint32_t roomSize = 1 << 16;

/// Code of C keeps this global, and functions that call no others use what lies below it.
constexpr StringLiteral stackPointer = "__stack_pointer";
constexpr uint32_t redZone = 128;

const wasm::Export *findFunction(const wasm::Module &module) {
  auto found = find_if(module.exports, [](const wasm::Export &entry) {
    return entry.kind == wasm::ExternalKind::function && entry.name == exportName;
  });
  return found == module.exports.end() ? nullptr : &*found;
}

class ExportedGuestStack : public GuestStack {
public:
  bool suits(const wasm::Module &module) const override { return findFunction(module) != nullptr; }
  Error prepare(const wasm::Module &module, StoppedInstance &instance) override;
  Error read(StoppedInstance &instance, GuestFrames &frames) override;

private:
  Expected<uint64_t> call(StoppedInstance &instance);

  /// Where the names are to be written: a page of the memory that nobody else has.
  uint64_t room_ = 0;
};

Error ExportedGuestStack::prepare(const wasm::Module &module, StoppedInstance &instance) {
  constexpr uint8_t i32 = uint8_t(wasm::ValueType::i32);
  const wasm::FunctionType &type = module.typeOf(findFunction(module)->index);
  if (type.params.bytes != ArrayRef<uint8_t>({i32, i32}) ||
      type.results.bytes != ArrayRef<uint8_t>({i32}))
    return makeError(exportName + " is not of the type (i32, i32) -> i32");
  room_ = instance.memory().size();
  if (room_ == 0)
    return makeError("there is no memory that is exported as 'memory'");
  if (!instance.growMemory(1))
    return makeError("there is no room in the memory for a page more");
  return Error::success();
}

Expected<uint64_t> ExportedGuestStack::call(StoppedInstance &instance) {
  auto stack = instance.global(stackPointer);
  if (stack)
    instance.setGlobal(stackPointer, uint32_t(*stack) - redZone);
  auto size = instance.call(exportName, {room_, roomSize});
  if (stack)
    instance.setGlobal(stackPointer, *stack);
  return size;
}

Error ExportedGuestStack::read(StoppedInstance &instance, GuestFrames &frames) {
  // What was there before must not pass for names.
  MutableArrayRef<uint8_t> before = instance.memory().slice(room_, roomSize);
  std::fill(before.begin(), before.end(), 0);
  auto result = call(instance);
  if (!result)
    return result.takeError();
  int32_t size = int32_t(*result);
  StringRef room = toStringRef(ArrayRef<uint8_t>(instance.memory()).slice(room_, roomSize));
  frames.isCut = size < 0 || uint32_t(size) > roomSize;
  StringRef text = frames.isCut ? room : room.take_front(size_t(size));
  // The last name may not be whole.
  if (frames.isCut)
    text = text.take_front(text.rfind('\0') + 1);
  size_t written = room.find_last_not_of('\0') + 1;

  SmallVector<StringRef, 64> names;
  text.split(names, '\0', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef name : names)
    frames.names.push_back(name.str());
  // A zero byte behind the last name is as good as none.
  if (size < 0 || (!frames.isCut && (written > size_t(size) || written + 1 < size_t(size))))
    frames.problem = "it lies about its length",
    frames.detail = (Twine(size) + " bytes, and what it wrote has " + Twine(written)).str();
  else if (frames.isCut)
    frames.problem = "it is too long",
    frames.detail = (Twine(size) + " bytes, and there is room for " + Twine(roomSize)).str();
  return Error::success();
}

warpo::Registry<GuestStack>::Add<ExportedGuestStack>
    registration("export", "what the module's own function warpo_guest_stack tells");

} // namespace
