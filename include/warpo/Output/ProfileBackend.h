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

  /// The extension of files, with the dot.
  virtual llvm::StringRef extension() const = 0;
  virtual bool isBinary() const = 0;
  /// Whether write() can show one weight divided by another. If not, Profile::per is empty.
  virtual bool canShowRatio() const { return false; }
  /// The timeline format that shows the calls in time order to the same viewers; empty: none.
  virtual llvm::StringRef timeOrdered() const { return ""; }
  /// Whether write() shows executed lines. The profile then has a function for each, if they are
  /// known.
  virtual bool showsLines() const { return false; }
  /// Whether people see only names in it; then nameModules() is applied before write().
  virtual bool namesModules() const { return false; }
  /// Whether write() can link to places in the source.
  virtual bool canLink() const { return false; }
  /// Called before write(), if canLink().
  void linkTo(SourceUrl url) { sourceUrl_ = std::move(url); }
  /// Whether write() shows where and when the profile was recorded.
  virtual bool showsOrigin() const { return false; }
  /// Whether readers treat a folder of such files as one table, with columns encoded in folder
  /// names such as `host=web-3`. Labels may then be there instead.
  virtual bool formsFolders() const { return false; }
  /// Called before write(); with labels only if showsOrigin().
  void setOrigin(OutputOrigin origin) { origin_ = std::move(origin); }
  /// Sets an option of this format given by the user, before write(); `value` may be empty. The
  /// format's description in the registry lists its options.
  virtual llvm::Error setOption(llvm::StringRef name, llvm::StringRef value);
  virtual llvm::Error write(const Profile &profile, llvm::raw_ostream &os) = 0;

  /// Returns the next profile and its time window; nothing after the last.
  using NextWindow =
      llvm::function_ref<llvm::Expected<std::optional<std::pair<Profile, TimeWindow>>>()>;
  /// Whether writeWindows() is implemented.
  virtual bool takesWindows() const { return false; }
  /// Called instead of write(). There is at least one profile, and all have the same weights.
  virtual llvm::Error writeWindows(NextWindow next, llvm::raw_ostream &os);

  /// What write() simplified for the format's readers, for the tool to report: one text each, such
  /// as `3 contexts below depth 400 count as their callers there: …`.
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
