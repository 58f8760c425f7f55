//===- GuestReading.h - The guest's frames in a program's samples ---------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_GUESTREADING_H
#define WARPO_LIB_ENGINE_GUESTREADING_H

#include "warpo/Engine/GuestStack.h"
#include <map>
#include <memory>

namespace warpo {

/// Reads the stack of a program's guest at its samples, makes it fit for a record, and remembers
/// what was wrong with it. A program has one guest.
class GuestReading {
public:
  /// Stands in a stack in the place of frames that are missing.
  static constexpr llvm::StringLiteral framesLeftOut = "[frames left out]";

  /// `choice` is that of RunRequest::guestStack: an error if there is none of that name.
  static llvm::Expected<std::unique_ptr<GuestReading>> create(llvm::StringRef choice);

  /// Another instance of the program is complete: the first that suits has the guest. `path` is
  /// that of the module, for messages. The instance must live as long as it is read.
  void offer(const wasm::Module &module, llvm::StringRef path, StoppedInstance &instance);

  /// The guest's frames now, outermost first; none if there is no guest. In use until the next.
  llvm::ArrayRef<std::string> read();

  /// What was wrong, each kind once with its number of samples.
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
  /// Why frames could not be read the first time, and in how many samples they are missing.
  std::string failure_;
  uint64_t unread_ = 0;
  /// How often reading may still fail: at 0 nothing is read any more.
  unsigned chances_ = 8;
  /// By what is wrong.
  std::map<std::string, Problem, std::less<>> problems_;
};

} // namespace warpo

#endif
