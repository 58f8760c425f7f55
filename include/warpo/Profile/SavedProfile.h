//===- SavedProfile.h - Call trees in files -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Formats that store a profile. Tools that need sums but no events read them wherever they read a
// record. To add one, add one .cpp that derives from ProfileFormat and registers itself.
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
  /// How many bytes at the start of an input sniff() gets.
  static constexpr size_t sniffSize = 4096;

  virtual ~ProfileFormat();

  /// Whether an input that starts with `start` (all of it if shorter than sniffSize) has this
  /// format.
  virtual bool sniff(llvm::ArrayRef<uint8_t> start) const = 0;
  /// Reads `bytes`, the whole input. Errors begin with `name`.
  virtual llvm::Expected<Profile> read(llvm::ArrayRef<uint8_t> bytes, llvm::StringRef name) = 0;

  /// Parts of the input that read() left out or reinterpreted, for the tool to report: one sentence
  /// each, without the input's name.
  llvm::ArrayRef<std::string> notes() const { return notes_; }

protected:
  void addNote(std::string text) { notes_.push_back(std::move(text)); }

private:
  std::vector<std::string> notes_;
};

/// The format that recognises an input by its first bytes, and its name; null if none does.
/// Consumes nothing.
llvm::Expected<std::pair<std::unique_ptr<ProfileFormat>, std::string>>
findProfileFormat(InputStream &stream);

/// Writes the profile in canonical order and without its title, in warpo's own format
/// (docs/profile-format.md).
void writeSavedProfile(const Profile &profile, llvm::raw_ostream &os);

} // namespace warpo

#endif
