//===- SavedProfile.h - Call trees in files -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Formats that hold a profile, and can be read wherever a record is by tools that need sums and no
// events. To add one, add one .cpp that derives from ProfileFormat and registers itself.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_PROFILE_SAVEDPROFILE_H
#define WARPO_PROFILE_SAVEDPROFILE_H

#include "warpo/Profile/Profile.h"
#include "warpo/Support/InputStream.h"
#include "warpo/Support/Registry.h"

namespace warpo {

class ProfileFormat {
public:
  static constexpr llvm::StringLiteral kind = "profile format";
  /// How many bytes at the start of an input sniff() may look at.
  static constexpr size_t sniffSize = 4096;

  virtual ~ProfileFormat();

  /// Whether an input that starts with `start` (all of it if shorter than sniffSize) is in this
  /// format.
  virtual bool sniff(llvm::ArrayRef<uint8_t> start) const = 0;
  /// The profile in `bytes`, the whole input. Errors begin with `name`.
  virtual llvm::Expected<Profile> read(llvm::ArrayRef<uint8_t> bytes, llvm::StringRef name) = 0;

  /// Parts of the input that read() left out or reinterpreted, for the tool to report: one sentence
  /// each, without the input's name.
  llvm::ArrayRef<std::string> notes() const { return notes_; }

protected:
  void addNote(std::string text) { notes_.push_back(std::move(text)); }

private:
  std::vector<std::string> notes_;
};

/// The format that knows an input by its first bytes, with its name; null if none does. Nothing is
/// consumed.
llvm::Expected<std::pair<std::unique_ptr<ProfileFormat>, std::string>>
findProfileFormat(InputStream &stream);

/// Writes the profile, in canonical order and without its title, in our own format, which
/// docs/profile-format.md defines.
void writeSavedProfile(const Profile &profile, llvm::raw_ostream &os);

} // namespace warpo

#endif
