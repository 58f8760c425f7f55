//===- CodeTables.h - Functions and frames in machine code ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// For a code address, a sampler needs the functions that run there, including those that the C
// compiler has inlined, and the place of their caller's frame. The compiler describes both without
// changing the code: in DWARF 5 (.debug_info, DW_TAG_inlined_subroutine) and in .eh_frame. These
// tables are made from that and kept in a file beside the shared object.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_ENGINE_NATIVE_CODETABLES_H
#define WARPO_LIB_ENGINE_NATIVE_CODETABLES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace warpo {

/// How to find the caller's frame, from this address of code up to that of the next rule.
struct UnwindRule {
  enum Base : uint32_t { unknown, stackPointer, framePointer };
  /// An address in the object, before relocation.
  uint32_t begin;
  /// The register to which `offset` is added. The sum is the address above the return address
  /// (DWARF's CFA).
  Base base;
  int32_t offset;
  /// The offset of the saved frame pointer of the caller from that address; 0 if the register still
  /// has it.
  int32_t savedFramePointer;
};

/// A function of the module, itself or inlined into another one.
struct FunctionAt {
  /// The number of the FunctionAt into which it was inlined; 0 for none.
  uint32_t parent;
  uint32_t function;
};

class CodeTables {
public:
  /// The first address of a range of code, and the number of its innermost FunctionAt.
  struct Place {
    uint32_t begin, innermost;
  };

  CodeTables() = default;
  /// `rules` and `places` are sorted by `begin`; the last of each is for the end of the code.
  /// `functions` is indexed by number, with parents before their children; the first one is unused.
  CodeTables(std::vector<UnwindRule> rules, std::vector<Place> places,
             std::vector<FunctionAt> functions)
      : rules_(std::move(rules)), places_(std::move(places)), functions_(std::move(functions)) {}
  /// Reads the tables from a shared object that was compiled with -g1. `functions` has the index of
  /// each function by its name in C. Only in the helper program warpo-native-tables.
  static llvm::Expected<CodeTables> ofObject(llvm::StringRef path,
                                             const llvm::StringMap<uint32_t> &functions);
  /// Reads the output of encode() for a module with `functionCount` functions. Checks everything
  /// except the order of addresses.
  static llvm::Expected<CodeTables> decode(llvm::StringRef bytes, uint32_t functionCount);
  std::string encode() const;

  /// The rule at an address of the object; `unknown` outside of its code. Safe in signal handlers.
  UnwindRule ruleAt(uint64_t address) const;
  /// The number, for function(), of the innermost function at an address of the object; 0 if there
  /// is none of the module. Safe in signal handlers.
  uint32_t innermostAt(uint64_t address) const;
  const FunctionAt &function(uint32_t number) const { return functions_[number]; }
  /// The addresses of all code in the object; both 0 if there is none.
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
