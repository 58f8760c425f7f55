//===- ExportedGuestStack.cpp - Guests that report their stack ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The module exports `warpo_guest_stack(address, size) -> size`, which writes the names of the
// guest's frames, innermost first and separated by zero bytes, and returns the number of bytes. It
// may export `warpo_guest_room() -> address`, which returns a buffer of 64 KiB; otherwise its
// memory is grown by a page. js/recorder/samples/guest-stack.mjs does the same in V8.
//
//===----------------------------------------------------------------------===//

#include "warpo/Engine/GuestStack.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;

namespace {

constexpr StringLiteral exportName = "warpo_guest_stack";
constexpr StringLiteral roomName = "warpo_guest_room";
constexpr uint32_t roomSize = 1 << 16;

/// The stack pointer of C code; leaf functions use memory below it.
constexpr StringLiteral stackPointer = "__stack_pointer";
constexpr uint32_t redZone = 128;

constexpr uint8_t i32 = uint8_t(wasm::ValueType::i32);

const wasm::Export *findFunction(const wasm::Module &module, StringRef name) {
  auto found = find_if(module.exports, [&](const wasm::Export &entry) {
    return entry.kind == wasm::ExternalKind::function && entry.name == name;
  });
  return found == module.exports.end() ? nullptr : &*found;
}

/// The result of warpo_guest_stack, and the contents of the buffer.
struct Written {
  int32_t size;
  std::string room;
};

class ExportedGuestStack : public GuestStack {
public:
  bool suits(const wasm::Module &module) const override {
    return findFunction(module, exportName) != nullptr;
  }
  Error prepare(const wasm::Module &module, StoppedInstance &instance) override;
  Error read(StoppedInstance &instance, GuestFrames &frames) override;

private:
  Error prepareOwnRoom(const wasm::FunctionType &type, StoppedInstance &instance);
  Expected<Written> letWrite(StoppedInstance &instance);
  MutableArrayRef<uint8_t> roomIn(StoppedInstance &instance) const {
    return instance.memory().slice(room_, roomSize);
  }

  /// The address of the buffer for names.
  uint64_t room_ = 0;
};

Expected<uint64_t> callQuietly(StoppedInstance &instance, StringRef function,
                               ArrayRef<uint64_t> arguments) {
  auto stack = instance.global(stackPointer);
  if (stack)
    instance.setGlobal(stackPointer, uint32_t(*stack) - redZone);
  auto result = instance.call(function, arguments);
  if (stack)
    instance.setGlobal(stackPointer, *stack);
  return result;
}

Error ExportedGuestStack::prepare(const wasm::Module &module, StoppedInstance &instance) {
  const wasm::FunctionType &type = module.typeOf(findFunction(module, exportName)->index);
  if (type.params.bytes != ArrayRef<uint8_t>({i32, i32}) ||
      type.results.bytes != ArrayRef<uint8_t>({i32}))
    return makeError(exportName + " is not of the type (i32, i32) -> i32");
  room_ = instance.memory().size();
  if (room_ == 0)
    return makeError("there is no memory that is exported as 'memory'");
  if (const wasm::Export *own = findFunction(module, roomName))
    return prepareOwnRoom(module.typeOf(own->index), instance);
  if (!instance.growMemory(1))
    return makeError("the memory cannot grow by a page");
  return Error::success();
}

Error ExportedGuestStack::prepareOwnRoom(const wasm::FunctionType &type,
                                         StoppedInstance &instance) {
  if (type.params.count != 0 || type.results.bytes != ArrayRef<uint8_t>({i32}))
    return makeError(roomName + " is not of the type () -> i32");
  auto address = callQuietly(instance, roomName, {});
  if (!address)
    return address.takeError();
  room_ = uint32_t(*address);
  uint64_t size = instance.memory().size();
  uint64_t left = size - std::min(room_, size);
  if (left < roomSize)
    return makeError("behind " + roomName + ", " + Twine(room_) + ", the memory has " +
                     Twine(left) + " bytes of " + Twine(roomSize));
  return Error::success();
}

// Restores the contents of the buffer: if the memory was grown, the guest's allocator may have
// started to use the new page.
Expected<Written> ExportedGuestStack::letWrite(StoppedInstance &instance) {
  MutableArrayRef<uint8_t> room = roomIn(instance);
  const std::vector<uint8_t> before(room.begin(), room.end());
  std::fill(room.begin(), room.end(), 0);
  auto size = callQuietly(instance, exportName, {room_, roomSize});
  // The guest may have grown its memory.
  room = roomIn(instance);
  std::string text = toStringRef(ArrayRef<uint8_t>(room)).str();
  llvm::copy(before, room.begin());
  if (!size)
    return size.takeError();
  return Written{int32_t(*size), std::move(text)};
}

Error ExportedGuestStack::read(StoppedInstance &instance, GuestFrames &frames) {
  auto written = letWrite(instance);
  if (!written)
    return written.takeError();
  int32_t size = written->size;
  StringRef room = written->room;
  frames.isCut = size < 0 || uint32_t(size) > roomSize;
  StringRef text = frames.isCut ? room : room.take_front(size_t(size));
  // The last name may be incomplete.
  if (frames.isCut)
    text = text.take_front(text.rfind('\0') + 1);
  size_t writtenSize = room.find_last_not_of('\0') + 1;

  SmallVector<StringRef, 64> names;
  text.split(names, '\0', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef name : names)
    frames.names.push_back(name.str());
  // A zero byte behind the last name is optional.
  if (size < 0 || (!frames.isCut && (writtenSize > size_t(size) || writtenSize + 1 < size_t(size))))
    frames.problem = "it returns a wrong length",
    frames.detail = (Twine(size) + " bytes, and what it wrote has " + Twine(writtenSize)).str();
  else if (frames.isCut)
    frames.problem = "it is too long",
    frames.detail = (Twine(size) + " bytes, and there is room for " + Twine(roomSize)).str();
  return Error::success();
}

warpo::Registry<GuestStack>::Add<ExportedGuestStack>
    registration("export", "what the module's function warpo_guest_stack reports");

} // namespace
