//===- ProfileBackend.h - The registry of outputs made of a profile -------===//
// SPDX-License-Identifier: Apache-2.0
//
// To add a profile format, add one .cpp to lib/Output that derives from ProfileBackend and
// registers itself.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_OUTPUT_PROFILEBACKEND_H
#define WARPO_OUTPUT_PROFILEBACKEND_H

#include "warpo/Output/OutputOrigin.h"
#include "warpo/Output/SourceUrl.h"
#include "warpo/Profile/Profile.h"
#include "warpo/Support/DisplayName.h"
#include "warpo/Support/Registry.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warpo {

class ProfileBackend {
public:
  static constexpr llvm::StringLiteral kind = "output format";
  virtual ~ProfileBackend();

  /// Of files, with the dot.
  virtual llvm::StringRef extension() const = 0;
  virtual bool isBinary() const = 0;
  /// Whether write() shows one weight in relation to another: Profile::per is empty otherwise.
  virtual bool canShowRatio() const { return false; }
  /// The timeline format that shows calls in the order of time to the same readers; empty: none.
  virtual llvm::StringRef timeOrdered() const { return ""; }
  /// Whether write() has a place for the lines that were executed: where they are known, the
  /// profile has a function for each.
  virtual bool showsLines() const { return false; }
  /// Whether people read names alone in it: then nameModules() comes before write().
  virtual bool namesModules() const { return false; }
  /// Whether write() makes links to places in the source, once it knows how.
  virtual bool canLink() const { return false; }
  /// Before write(), if canLink().
  void linkTo(SourceUrl url) { sourceUrl_ = std::move(url); }
  /// Whether write() has a place for where and when the profile was recorded.
  virtual bool showsOrigin() const { return false; }
  /// Whether readers take a folder of such files for one table, with columns in the names of
  /// folders, `host=web-3`: then labels may be there instead.
  virtual bool formsFolders() const { return false; }
  /// Before write(); labels only if showsOrigin().
  void setOrigin(OutputOrigin origin) { origin_ = std::move(origin); }
  /// Takes what the user asked of this format, before write(): `value` is empty where there is
  /// none. The format's description in the registry names its options.
  virtual llvm::Error setOption(llvm::StringRef name, llvm::StringRef value);
  virtual llvm::Error write(const Profile &profile, llvm::raw_ostream &os) = 0;

  /// Gives the next profile and its window of time; nothing behind the last.
  using NextWindow =
      llvm::function_ref<llvm::Expected<std::optional<std::pair<Profile, TimeWindow>>>()>;
  /// Whether writeWindows() does something.
  virtual bool takesWindows() const { return false; }
  /// In place of write(): there is at least one profile, and all have the same weights.
  virtual llvm::Error writeWindows(NextWindow next, llvm::raw_ostream &os);

  /// What write() gave up for the sake of the format's readers, for the tool to tell: one text
  /// each, as in `3 contexts below depth 400 count as their callers there: …`.
  llvm::ArrayRef<std::string> notes() const { return notes_; }

protected:
  const SourceUrl &sourceUrl() const { return sourceUrl_; }
  const OutputOrigin &origin() const { return origin_; }
  void addNote(std::string text) { notes_.push_back(std::move(text)); }
  void addNotes(std::vector<std::string> texts) {
    notes_.insert(notes_.end(), std::make_move_iterator(texts.begin()),
                  std::make_move_iterator(texts.end()));
  }

private:
  std::vector<std::string> notes_;
  SourceUrl sourceUrl_;
  OutputOrigin origin_;
};

} // namespace warpo

#endif
