//===- Allocators.h - Which functions of a module allocate ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A line describes an allocator, a known one or one given by the user:
//
//   alloc:aligned_alloc(_,size)->address
//   free:__rust_dealloc(address,_,_)
//
// - `alloc`, `realloc` or `free`
// - the function's name
// - for each parameter `size` or `count` (the product of these is the requested size), `address`
//   (of the existing block), `out` (where the new address is stored), or `_`
// - unless it frees, `->address` or `->status`: 0 is success
//
// A number behind `address` is added to the address of the function: `->address-16`.
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

/// The description of an allocator.
struct AllocatorForm {
  AllocatorKind kind = AllocatorKind::allocates;
  std::string name;
  std::vector<AllocatorParameter> parameters;
  /// Whether it returns 0 or an error, and stores the address. False if it frees.
  bool returnsStatus = false;
  /// Added to an address that it takes or returns.
  int32_t offset = 0;
  /// Whether calls of other allocators within it count too: a garbage collector frees objects.
  bool collects = false;

  /// The error describes what is wrong with the text.
  static llvm::Expected<AllocatorForm> parse(llvm::StringRef text);
  /// Whether the description fits a function of this type.
  bool fits(const wasm::FunctionType &type) const;
};

/// An allocator of a module.
struct Allocator {
  const AllocatorForm *form = nullptr;
  const wasm::FunctionType *type = nullptr;

  bool is64(uint32_t parameter) const;
  bool returns64() const;
};

/// The allocators of a module, by function. All have code.
class Allocators {
public:
  /// Finds known allocators by the names of functions and exports, and all those described by
  /// `given`, a list separated by commas. Fails if a description is malformed, if no function has
  /// its name, or if the function's type does not fit.
  static llvm::Expected<Allocators> find(const wasm::Module &module, llvm::StringRef given);

  /// Null for other functions.
  const Allocator *of(uint32_t function) const {
    auto found = functions_.find(function);
    return found == functions_.end() ? nullptr : &found->second;
  }
  bool empty() const { return functions_.empty(); }
  /// The name of one of them if all are there for the host, which calls them before and after it
  /// calls the module; else empty. The module's own allocators are then unknown, as in Rust's
  /// modules without names.
  llvm::StringRef servingOnlyHost() const;
  /// The allocators as a set of functions; `count` is the number of all functions.
  llvm::BitVector functions(uint32_t count) const {
    llvm::BitVector all(count);
    for (const auto &[function, allocator] : functions_)
      all.set(function);
    return all;
  }
  /// The functions with the name of a known allocator but a type that it never has: name and type
  /// as text.
  std::vector<std::string> ofOtherType() const;
  /// Leaves out allocators that only other allocators call: they are never the outermost one.
  llvm::Error leaveOutInner(const wasm::Module &module);

private:
  void addKnown(const wasm::Module &module);
  llvm::Error addGiven(const wasm::Module &module, const AllocatorForm &form);
  void addForwarded(const wasm::Module &module);

  std::map<uint32_t, Allocator> functions_;
  /// By function. Some of these functions are given.
  std::map<uint32_t, std::string> ofOtherType_;
  /// Descriptions given by the user, to which functions_ refers.
  std::shared_ptr<const std::vector<AllocatorForm>> given_;
};

} // namespace warpo

#endif
