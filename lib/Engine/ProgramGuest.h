//===- ProgramGuest.h - The guest of a program that runs here -------------===//

#ifndef WARPO_LIB_ENGINE_PROGRAMGUEST_H
#define WARPO_LIB_ENGINE_PROGRAMGUEST_H

#include "GuestHost.h"
#include "GuestReading.h"

namespace warpo {

/// What an engine knows of the guest of the program that it runs. An engine's own adds the
/// instances, as readers see them.
class ProgramGuest {
public:
  /// `end` is what a host function sets that ends the program.
  explicit ProgramGuest(std::optional<GuestEnd> &end) : end_(end) {}
  ProgramGuest(const ProgramGuest &) = delete;
  ProgramGuest &operator=(const ProgramGuest &) = delete;

  /// Before anything else. `choice` is RunRequest::guestStack.
  llvm::Error open(llvm::StringRef choice);

  /// The guest's frames, outermost first.
  llvm::ArrayRef<std::string> read() { return reading_->read(); }
  std::vector<std::string> problems() const { return reading_->problems(); }
  /// Whether the program is called by a reader: then what it tells is to be ignored.
  bool isCalling() const { return isCalling_; }

protected:
  /// What a reader's call gives that returned with `result`, or, if there is a message, trapped.
  llvm::Expected<uint64_t> endOfCall(std::optional<std::string> message, uint64_t result);

  std::unique_ptr<GuestReading> reading_;
  bool isCalling_ = false;

private:
  std::optional<GuestEnd> &end_;
};

} // namespace warpo

#endif
