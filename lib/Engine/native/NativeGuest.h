//===- NativeGuest.h - Guests in machine code -----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_NATIVE_NATIVEGUEST_H
#define WARPO_LIB_ENGINE_NATIVE_NATIVEGUEST_H

#include "NativeOpenCalls.h"
#include "NativeUnit.h"
#include "warpo/Engine/ProgramRun.h"
#include <atomic>
#include <map>

namespace warpo {

/// The instances of a program, for readers of guest stacks. To be used on the program's thread.
class NativeGuest {
public:
  /// `resumes`: whether the program's next call is to be interrupted. Calls of readers must not
  /// consume that.
  NativeGuest(ProgramRun &run, warpo_native_host &host, const std::atomic<bool> &resumes)
      : run_(run), host_(host), resumes_(resumes) {}

  /// The unit must have an instance.
  StoppedInstance &of(NativeUnit &unit);

private:
  class Instance : public StoppedInstance {
  public:
    Instance(NativeGuest &guest, NativeUnit &unit) : guest_(guest), unit_(unit) {}
    llvm::MutableArrayRef<uint8_t> exportedMemory(llvm::StringRef name) override;
    bool growMemory(uint32_t pages) override;
    std::optional<uint64_t> global(llvm::StringRef name) override;
    bool setGlobal(llvm::StringRef name, uint64_t bits) override;
    llvm::Expected<uint64_t> call(llvm::StringRef function,
                                  llvm::ArrayRef<uint64_t> arguments) override;
    NativeUnit &unit() { return unit_; }

  private:
    NativeGuest &guest_;
    NativeUnit &unit_;
  };
  /// While it lives, trace points of the program reach neither the record nor its open calls.
  class Silence;

  ProgramRun &run_;
  warpo_native_host &host_;
  const std::atomic<bool> &resumes_;
  std::map<const NativeUnit *, Instance> instances_;
  /// The open calls during a call of a reader.
  NativeOpenCalls callsAside_;
  warpo_native_host aside_ = {};
};

} // namespace warpo

#endif
