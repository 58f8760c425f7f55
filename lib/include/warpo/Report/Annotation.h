//===- Annotation.h - Source lines with their costs -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_REPORT_ANNOTATION_H
#define WARPO_REPORT_ANNOTATION_H

#include "warpo/Profile/Profile.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MemoryBuffer.h"
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warpo {

struct AnnotatedLine {
  /// From 1; 0 if the line is unknown. If AnnotatedPart::isCode, an offset.
  uint32_t number = 0;
  /// One for each of Annotation::columns; empty for a line that is shown for its text alone.
  llvm::SmallVector<std::string, 3> cells = {};
  /// Its part of the whole, from 0 to 1.
  double share = 0;
  /// Nothing if the source is not available.
  std::optional<std::string> text = {};
  /// Whether its share is among the largest.
  bool isHot = false;
  /// Whether it has code that was never executed.
  bool isNeverRun = false;
  /// Shown below the line.
  std::vector<std::string> notes = {};
  /// Its instructions, if requested.
  llvm::ArrayRef<std::string> code = {};
};

/// Lines of a file. Texts have passed through displayName().
struct AnnotatedPart {
  std::string heading;
  /// Why the source is not available; empty if it is.
  std::string missing;
  /// In ascending order, not necessarily contiguous.
  std::vector<AnnotatedLine> lines;
  /// Whether the lines are straight runs of a module's code, numbered by their offsets in its file.
  bool isCode = false;

  /// The number of a line, as it is shown.
  std::string numberOf(const AnnotatedLine &line) const;
  /// Whether lines between the two are not shown.
  bool isGap(const AnnotatedLine &before, const AnnotatedLine &line) const {
    return !isCode && line.number != before.number + 1;
  }
};

struct Annotation {
  std::string title;
  /// The weight and its total.
  std::string heading;
  /// The headings of the cells.
  std::vector<std::string> columns;
  std::vector<AnnotatedPart> parts;
  /// Sentences below the parts.
  std::vector<std::string> notes;
};

/// Source files, each read once and kept in memory.
class SourceFiles {
public:
  /// Sets the text of a file that may not exist. The first text of a path counts.
  void provide(llvm::StringRef path, llvm::StringRef text) {
    provided_.try_emplace(path.str(), text.str());
  }
  /// A line of the file, counted from 1, without its line break; nothing if there is no such line.
  std::optional<llvm::StringRef> line(llvm::StringRef path, uint32_t number);
  /// The number of lines.
  size_t size(llvm::StringRef path) { return open(path).lines.size(); }
  /// Why the file cannot be read; empty if it can. Only regular files of up to 64 MiB are read.
  llvm::StringRef problem(llvm::StringRef path) { return open(path).problem; }

private:
  struct File {
    std::unique_ptr<llvm::MemoryBuffer> text;
    std::vector<llvm::StringRef> lines;
    std::string problem;
  };
  File &open(llvm::StringRef path);
  static void read(llvm::StringRef path, File &file);

  std::map<std::string, File, std::less<>> files_;
  std::map<std::string, std::string, std::less<>> provided_;
};

struct AnnotationRequest {
  /// Globs of function names, or files: paths or their ends. Empty: the hottest functions.
  std::vector<std::string> wanted = {};
  /// How many of the hottest functions; 0: all.
  uint64_t functions = 5;
  /// How many lines to show around each line that has weight.
  uint32_t context = 3;
  /// Returns the instructions of a line with weight; they must outlive the annotation. Null: none
  /// are shown.
  std::function<llvm::ArrayRef<std::string>(llvm::StringRef file, uint32_t line)> codeOf = {};
};

/// Whether `wanted` is the path or its end.
bool isCalled(llvm::StringRef path, llvm::StringRef wanted);
/// `file: function, 12.3 %`, or `file: 12.3 %` if `function` is empty.
std::string partHeading(llvm::StringRef file, llvm::StringRef function, llvm::StringRef share);
/// Adds the texts of a part's lines, their code, and `request.context` lines of the file around
/// each.
void addSource(AnnotatedPart &part, llvm::StringRef file, const AnnotationRequest &request,
               SourceFiles &files);
/// Sets isHot in all parts.
void markHot(Annotation &annotation);

/// The lines of `profile`, at the places given by placeOf(). Fails if nothing matches `wanted`.
llvm::Expected<Annotation> annotate(const Profile &profile, const AnnotationRequest &request,
                                    SourceFiles &files);

} // namespace warpo

#endif
