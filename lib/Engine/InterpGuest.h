//===- InterpGuest.h - The guest of a program in wabt's interpreter -------===//

#ifndef WARPO_LIB_ENGINE_INTERPGUEST_H
#define WARPO_LIB_ENGINE_INTERPGUEST_H

#include "InterpUnit.h"
#include "ProgramGuest.h"
#include <deque>

namespace warpo::interpreter {

/// The instances of a program as readers of guest stacks see them.
class InterpGuest : public ProgramGuest {
public:
  InterpGuest(interp::Store &store, std::optional<GuestEnd> &end)
      : ProgramGuest(end), store_(store) {}

  /// The unit's instance is complete.
  void add(Unit &unit);

private:
  class Instance : public StoppedInstance {
  public:
    Instance(InterpGuest &guest, Unit &unit) : guest_(guest), unit_(unit) {}
    llvm::MutableArrayRef<uint8_t> memory() override;
    bool growMemory(uint32_t pages) override;
    std::optional<uint64_t> global(llvm::StringRef name) override;
    bool setGlobal(llvm::StringRef name, uint64_t bits) override;
    llvm::Expected<uint64_t> call(llvm::StringRef function,
                                  llvm::ArrayRef<uint64_t> arguments) override;

  private:
    interp::Memory::Ptr findMemory();
    /// Null if there is none of a number type.
    interp::Global::Ptr findGlobal(llvm::StringRef name);

    InterpGuest &guest_;
    Unit &unit_;
  };
  llvm::Expected<uint64_t> call(interp::Func &function, llvm::ArrayRef<uint64_t> arguments);

  interp::Store &store_;
  std::deque<Instance> instances_;
};

} // namespace warpo::interpreter

#endif
