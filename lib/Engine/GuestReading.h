//===- GuestReading.h - Guest frames for a program's samples --------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_GUESTREADING_H
#define WARPO_LIB_ENGINE_GUESTREADING_H

#include "warpo/Engine/GuestStack.h"
#include <map>
#include <memory>

namespace warpo {

/// Reads the stack of a program's guest at samples, cleans it up for the record, and collects
/// problems. A program has one guest.
class GuestReading {
public:
  /// The frame that stands for missing frames.
  static constexpr llvm::StringLiteral framesLeftOut = "[frames left out]";

  /// `choice` is RunRequest::guestStack. Fails if there is no reader of that name.
  static llvm::Expected<std::unique_ptr<GuestReading>> create(llvm::StringRef choice);

  /// To be called when an instance of the program is complete: the first suitable one is used.
  /// `path` is that of the module, for messages. The instance must outlive all calls of read().
  void offer(const wasm::Module &module, llvm::StringRef path, StoppedInstance &instance);

  /// The guest's current frames, outermost first; none if there is no guest. Valid until the next
  /// call.
  llvm::ArrayRef<std::string> read();

  /// Messages about all problems: each kind once, with its number of samples.
  std::vector<std::string> problems() const;

private:
  struct Problem {
    std::string firstDetail;
    uint64_t samples = 0;
  };
  explicit GuestReading(llvm::StringRef choice) : choice_(choice) {}
  llvm::Error choose(const wasm::Module &module);
  void clean(std::vector<std::string> &names, bool isCut);
  void fail(llvm::Error error);
  void complain(llvm::StringRef problem, const llvm::Twine &detail);

  std::string choice_;
  std::string path_;
  std::unique_ptr<GuestStack> reader_;
  StoppedInstance *instance_ = nullptr;
  std::vector<std::string> frames_;
  uint64_t samples_ = 0;
  /// The first error, and the number of samples without frames.
  std::string failure_;
  uint64_t unread_ = 0;
  /// The number of further failures allowed; at 0, frames are no longer read.
  unsigned chances_ = 8;
  /// By GuestFrames::problem.
  std::map<std::string, Problem, std::less<>> problems_;
};

} // namespace warpo

#endif
