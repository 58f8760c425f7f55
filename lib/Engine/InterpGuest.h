//===- InterpGuest.h - Guests in wabt's interpreter -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_INTERPGUEST_H
#define WARPO_LIB_ENGINE_INTERPGUEST_H

#include "InterpUnit.h"
#include <map>

namespace warpo::interpreter {

/// The instances of a program, for readers of guest stacks.
class InterpGuest {
public:
  InterpGuest(ProgramRun &run, interp::Store &store) : run_(run), store_(store) {}

  /// The unit must have an instance.
  StoppedInstance &of(Unit &unit) {
    return instances_.try_emplace(&unit, *this, unit).first->second;
  }

private:
  class Instance : public StoppedInstance {
  public:
    Instance(InterpGuest &guest, Unit &unit) : guest_(guest), unit_(unit) {}
    llvm::MutableArrayRef<uint8_t> exportedMemory(llvm::StringRef name) override;
    bool growMemory(uint32_t pages) override;
    std::optional<uint64_t> global(llvm::StringRef name) override;
    bool setGlobal(llvm::StringRef name, uint64_t bits) override;
    llvm::Expected<uint64_t> call(llvm::StringRef function,
                                  llvm::ArrayRef<uint64_t> arguments) override;

  private:
    interp::Memory::Ptr findMemory(llvm::StringRef name);
    /// Null if there is none with a number type.
    interp::Global::Ptr findGlobal(llvm::StringRef name);

    InterpGuest &guest_;
    Unit &unit_;
  };

  ProgramRun &run_;
  interp::Store &store_;
  std::map<const Unit *, Instance> instances_;
};

} // namespace warpo::interpreter

#endif
