//===- CodeTables.h - What lies where in a module's machine code ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// A sampler needs two things of an address of code: which functions run there, those that the C
// compiler has inlined too, and where their caller's frame is. The compiler says both beside the
// code, without changing it: in DWARF 5 (.debug_info, DW_TAG_inlined_subroutine) and in
// .eh_frame. What is read of these is kept in a file beside the shared object.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_ENGINE_NATIVE_CODETABLES_H
#define WARPO_LIB_ENGINE_NATIVE_CODETABLES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace warpo {

/// How the frame around a function's is found, from this place in its code to that of the next
/// rule.
struct UnwindRule {
  enum Base : uint32_t { unknown, stackPointer, framePointer };
  /// An address as the object is linked.
  uint32_t begin;
  /// The register that `offset` is added to. The sum is the address above the return address
  /// (DWARF's CFA).
  Base base;
  int32_t offset;
  /// Where the caller's frame pointer lies, counted from that address; 0 if the register has it.
  int32_t savedFramePointer;
};

/// A function of the module at some of its code: by itself, or inlined into another one.
struct FunctionAt {
  /// The number of the FunctionAt that it was inlined into; 0 for none.
  uint32_t parent;
  uint32_t function;
};

class CodeTables {
public:
  /// The first address of a piece of code, and the number of its innermost FunctionAt.
  struct Place {
    uint32_t begin, innermost;
  };

  CodeTables() = default;
  /// `rules` and `places` in the order of `begin`, the last of each about the end of the code;
  /// `functions` by number, parents before their children. The first one is not used.
  CodeTables(std::vector<UnwindRule> rules, std::vector<Place> places,
             std::vector<FunctionAt> functions)
      : rules_(std::move(rules)), places_(std::move(places)), functions_(std::move(functions)) {}
  /// Reads them from a shared object that was compiled with -g1. `functions` has the index of each
  /// function by its name in C. Only in the helper program warpo-native-tables.
  static llvm::Expected<CodeTables> ofObject(llvm::StringRef path,
                                             const llvm::StringMap<uint32_t> &functions);
  /// Reads what encode() has made, of a module with so many functions. Nothing but the order of
  /// addresses is trusted.
  static llvm::Expected<CodeTables> decode(llvm::StringRef bytes, uint32_t functionCount);
  std::string encode() const;

  /// Of the code at an address of the object; `unknown` for other code. Safe in signal handlers.
  UnwindRule ruleAt(uint64_t address) const;
  /// The innermost function at an address of the object: a number for function(), 0 if none of the
  /// module's functions is there. Safe in signal handlers.
  uint32_t innermostAt(uint64_t address) const;
  const FunctionAt &function(uint32_t number) const { return functions_[number]; }
  /// Of all code, as addresses of the object; both 0 if there is none.
  std::pair<uint64_t, uint64_t> bounds() const {
    return rules_.empty()
               ? std::pair<uint64_t, uint64_t>()
               : std::pair<uint64_t, uint64_t>(rules_.front().begin, rules_.back().begin);
  }

private:
  std::vector<UnwindRule> rules_;
  std::vector<Place> places_;
  std::vector<FunctionAt> functions_ = {{}};
};

} // namespace warpo

#endif
