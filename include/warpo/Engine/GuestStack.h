//===- GuestStack.h - The stack of an interpreted program -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// An interpreter that was compiled to wasm hides the program that it runs, its guest. A member of
// this registry reads the guest's own frames at a sample: docs/guest-stacks.md.
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

/// An instance of a module that is stopped, waiting for its host. Addresses and names come from the
/// program or from a reader, so everything is checked.
class StoppedInstance {
public:
  virtual ~StoppedInstance();

  /// An exported memory; empty if there is none. Valid until the memory grows or a function is
  /// called.
  virtual llvm::MutableArrayRef<uint8_t> exportedMemory(llvm::StringRef name) = 0;
  llvm::MutableArrayRef<uint8_t> memory() { return exportedMemory("memory"); }
  /// Grows the memory `memory` by pages of 64 KiB; false if that is not possible.
  virtual bool growMemory(uint32_t pages) = 0;
  /// The bits of an exported global; nothing if there is none with a number type.
  virtual std::optional<uint64_t> global(llvm::StringRef name) = 0;
  /// Sets an exported mutable global; false if there is none with a number type.
  virtual bool setGlobal(llvm::StringRef name, uint64_t bits) = 0;
  /// Calls an exported function with number types. Takes the bits of its arguments, returns those
  /// of the result or 0 if it has none. Its fuel and calls are neither counted nor recorded. Fails
  /// if there is no such function or if it does not return; in the latter case the state of the
  /// instance is unknown.
  virtual llvm::Expected<uint64_t> call(llvm::StringRef function,
                                        llvm::ArrayRef<uint64_t> arguments) = 0;

  /// Reads a number in the memory; nothing if it is out of bounds.
  template <typename T> std::optional<T> read(uint64_t address) {
    llvm::ArrayRef<uint8_t> bytes = memory();
    if (address > bytes.size() || sizeof(T) > bytes.size() - address)
      return std::nullopt;
    return llvm::support::endian::read<T, llvm::endianness::little>(&bytes[address]);
  }
  /// The bytes in the memory up to a zero byte, the end of the memory, or `most` bytes.
  llvm::StringRef readText(uint64_t address, size_t most);
};

/// The guest's frames at one sample.
struct GuestFrames {
  /// Innermost first. The caller repairs names that are not UTF-8 and truncates long ones.
  std::vector<std::string> names;
  /// Whether outer frames are missing.
  bool isCut = false;
  /// What was wrong: a constant phrase, and details of this case; both are empty if nothing was
  /// wrong.
  std::string problem, detail;
};

/// Reads the guest's stack in one instance of a program. Each instance has its own reader.
class GuestStack {
public:
  static constexpr llvm::StringLiteral kind = "guest stack";
  virtual ~GuestStack();

  /// Whether this reader can read instances of a module.
  virtual bool suits(const wasm::Module &module) const = 0;
  /// Called once, when the instance is complete, after its start function. An error says why its
  /// stack cannot be read; the program continues.
  virtual llvm::Error prepare(const wasm::Module &module, StoppedInstance &instance);
  /// Called at each sample, wherever the program is. After an error the sample has no frames of the
  /// guest; after several errors this is no longer called.
  virtual llvm::Error read(StoppedInstance &instance, GuestFrames &frames) = 0;
};

} // namespace warpo

#endif
