//===- InterpGuest.h - The guest of a program in wabt's interpreter -------===//

#ifndef WARPO_LIB_ENGINE_INTERPGUEST_H
#define WARPO_LIB_ENGINE_INTERPGUEST_H

#include "GuestHost.h"
#include "GuestReading.h"
#include "InterpUnit.h"
#include <deque>

namespace warpo::interpreter {

/// The instances of a program as readers of guest stacks see them.
class InterpGuest {
public:
  /// `end` is what a host function sets that ends the program.
  InterpGuest(interp::Store &store, std::optional<GuestEnd> &end) : store_(store), end_(end) {}
  InterpGuest(const InterpGuest &) = delete;
  InterpGuest &operator=(const InterpGuest &) = delete;

  llvm::Error open(llvm::StringRef choice);
  /// The unit's instance is complete.
  void add(Unit &unit);

  /// The guest's frames, outermost first.
  llvm::ArrayRef<std::string> read() { return reading_->read(); }
  std::vector<std::string> problems() const { return reading_->problems(); }
  /// Whether the program is called by a reader: then its trace points and frames are to be ignored.
  bool isCalling() const { return isCalling_; }

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
  std::optional<GuestEnd> &end_;
  std::unique_ptr<GuestReading> reading_;
  std::deque<Instance> instances_;
  bool isCalling_ = false;
};

} // namespace warpo::interpreter

#endif
