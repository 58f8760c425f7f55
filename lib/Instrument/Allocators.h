//===- Allocators.h - Which functions of a module allocate ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// An allocator is described by a line, whether it is one that we know or one that a user names:
//
//   alloc:aligned_alloc(_,size)->address
//   free:__rust_dealloc(address,_,_)
//
// `alloc`, `realloc` or `free`; the function's name; what each parameter is, `size` and `count`
// (the product of all is what was asked for), `address` (of the block that is there), `out` (where
// the new address is stored), or `_`; and, unless it frees, `->address`, or `->status`: 0 is
// success. A number behind `address` is added to what the function has: `->address-16`.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_INSTRUMENT_ALLOCATORS_H
#define WARPO_LIB_INSTRUMENT_ALLOCATORS_H

#include "warpo/Wasm/Module.h"
#include "llvm/ADT/BitVector.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warpo {

enum class AllocatorKind : uint8_t { allocates, frees, reallocates };

struct AllocatorParameter {
  enum Role : uint8_t { other, size, address, out } role = other;
  bool operator==(const AllocatorParameter &) const = default;
};

/// A description.
struct AllocatorForm {
  AllocatorKind kind = AllocatorKind::allocates;
  std::string name;
  std::vector<AllocatorParameter> parameters;
  /// Of one that does not free: whether it returns 0 or an error, and stores the address.
  bool returnsStatus = false;
  /// What is added to an address that it takes or gives.
  int32_t offset = 0;
  /// Whether others are called within it that it does not stand for: a collector frees what it
  /// finds.
  bool collects = false;

  /// An error says what is wrong with the text.
  static llvm::Expected<AllocatorForm> parse(llvm::StringRef text);
  /// Whether a function of this type can be it.
  bool fits(const wasm::FunctionType &type) const;
};

/// A function that is one.
struct Allocator {
  const AllocatorForm *form = nullptr;
  const wasm::FunctionType *type = nullptr;

  bool is64(uint32_t parameter) const;
  bool returns64() const;
};

/// Those of a module, by function; all have code.
class Allocators {
public:
  /// Finds known ones by the names of functions and of exports, and all that `given` describes, by
  /// commas. An error for a text that is none, a name that no function has, or one whose type does
  /// not fit.
  static llvm::Expected<Allocators> find(const wasm::Module &module, llvm::StringRef given);

  /// Null for another function.
  const Allocator *of(uint32_t function) const {
    auto found = functions_.find(function);
    return found == functions_.end() ? nullptr : &found->second;
  }
  bool empty() const { return functions_.empty(); }
  /// By function of so many: whether it is one of them.
  llvm::BitVector functions(uint32_t count) const {
    llvm::BitVector all(count);
    for (const auto &[function, allocator] : functions_)
      all.set(function);
    return all;
  }
  /// Leaves out those that only others call, within which they never are the outermost one.
  llvm::Error leaveOutInner(const wasm::Module &module);

private:
  void addKnown(const wasm::Module &module);
  llvm::Error addGiven(const wasm::Module &module, const AllocatorForm &form);
  void addForwarded(const wasm::Module &module);

  std::map<uint32_t, Allocator> functions_;
  /// What the user has given; the functions refer to them.
  std::shared_ptr<const std::vector<AllocatorForm>> given_;
};

} // namespace warpo

#endif
