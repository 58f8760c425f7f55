//===- NativeGuest.h - The guest of a program in machine code -------------===//

#ifndef WARPO_LIB_ENGINE_NATIVE_NATIVEGUEST_H
#define WARPO_LIB_ENGINE_NATIVE_NATIVEGUEST_H

#include "../ProgramGuest.h"
#include "LoadedUnit.h"
#include "NativeOpenCalls.h"
#include <deque>

namespace warpo {

/// The instances of a program as readers of guest stacks see them, on the program's thread.
class NativeGuest : public ProgramGuest {
public:
  NativeGuest(warpo_native_host &host, std::optional<GuestEnd> &end)
      : ProgramGuest(end), host_(host) {}

  /// The unit's instance is complete.
  void add(LoadedUnit &unit);

private:
  class Instance : public StoppedInstance {
  public:
    Instance(NativeGuest &guest, LoadedUnit &unit) : guest_(guest), unit_(unit) {}
    llvm::MutableArrayRef<uint8_t> memory() override;
    bool growMemory(uint32_t pages) override;
    std::optional<uint64_t> global(llvm::StringRef name) override;
    bool setGlobal(llvm::StringRef name, uint64_t bits) override;
    llvm::Expected<uint64_t> call(llvm::StringRef function,
                                  llvm::ArrayRef<uint64_t> arguments) override;
    LoadedUnit &unit() { return unit_; }

  private:
    NativeGuest &guest_;
    LoadedUnit &unit_;
  };
  /// Takes the trace points of the program from the record and from its open calls.
  class Silence;

  warpo_native_host &host_;
  std::deque<Instance> instances_;
  /// The open calls of a reader's call.
  NativeOpenCalls callsAside_;
  warpo_native_host aside_ = {};
};

} // namespace warpo

#endif
