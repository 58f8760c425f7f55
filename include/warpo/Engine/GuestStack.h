//===- GuestStack.h - The stack of a program that a program interprets ----===//
// SPDX-License-Identifier: Apache-2.0
//
// An interpreter that was compiled to wasm hides the program that it runs, its guest. A member of
// this registry finds the guest's own frames at a sample: docs/guest-stacks.md.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_ENGINE_GUESTSTACK_H
#define WARPO_ENGINE_GUESTSTACK_H

#include "warpo/Support/Registry.h"
#include "warpo/Wasm/Module.h"
#include "llvm/Support/Endian.h"
#include <optional>
#include <string>

namespace warpo {

/// An instance of a module that stands still, as it waits for its host. Addresses and names are the
/// program's or a reader's: everything is checked.
class StoppedInstance {
public:
  virtual ~StoppedInstance();

  /// The memory that it exports under a name; empty if there is none. In use until the memory grows
  /// or a function is called.
  virtual llvm::MutableArrayRef<uint8_t> exportedMemory(llvm::StringRef name) = 0;
  llvm::MutableArrayRef<uint8_t> memory() { return exportedMemory("memory"); }
  /// Makes that memory larger by pages of 64 KiB; false if that cannot be.
  virtual bool growMemory(uint32_t pages) = 0;
  /// The bits of an exported global; nothing if there is none of a number type.
  virtual std::optional<uint64_t> global(llvm::StringRef name) = 0;
  /// Stores into an exported global that is mutable, of a number type; false if there is none.
  virtual bool setGlobal(llvm::StringRef name, uint64_t bits) = 0;
  /// Calls an exported function of number types with the bits of its arguments, as many as it has;
  /// 0 if it has no result. What it burns and calls is neither counted nor recorded. An error if
  /// there is no such function, or it does not return: then it is unknown in what state it has left
  /// the instance.
  virtual llvm::Expected<uint64_t> call(llvm::StringRef function,
                                        llvm::ArrayRef<uint64_t> arguments) = 0;

  /// A number in the memory; nothing if the place is not within it.
  template <typename T> std::optional<T> read(uint64_t address) {
    llvm::ArrayRef<uint8_t> bytes = memory();
    if (address > bytes.size() || sizeof(T) > bytes.size() - address)
      return std::nullopt;
    return llvm::support::endian::read<T, llvm::endianness::little>(&bytes[address]);
  }
  /// The bytes in the memory up to a zero byte, its end, or this many.
  llvm::StringRef readText(uint64_t address, size_t most);
};

/// What a reader found at one sample.
struct GuestFrames {
  /// Innermost first. Whoever uses them repairs what is not UTF-8, and cuts what is too long.
  std::vector<std::string> names;
  /// Whether there are more, around these.
  bool isCut = false;
  /// What was wrong, in a few words that are the same each time, and what it was in this case;
  /// empty if nothing was.
  std::string problem, detail;
};

/// Reads the guest's stack in one instance of a program: each has one of its own.
class GuestStack {
public:
  static constexpr llvm::StringLiteral kind = "guest stack";
  virtual ~GuestStack();

  /// Whether instances of a module have what this one reads.
  virtual bool suits(const wasm::Module &module) const = 0;
  /// Called once, when the instance is complete: its start function has run. An error says why its
  /// stack cannot be read; the program runs on.
  virtual llvm::Error prepare(const wasm::Module &module, StoppedInstance &instance);
  /// Called at each sample, wherever the program is. An error leaves the sample without frames of
  /// the guest; after some of them this is not called any more.
  virtual llvm::Error read(StoppedInstance &instance, GuestFrames &frames) = 0;
};

} // namespace warpo

#endif
