//===- Annotation.h - The source, with what was spent beside its lines ----===//
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
  /// From 1; 0: which line it was is not known. Of AnnotatedPart::isCode: an offset.
  uint32_t number = 0;
  /// What is said of it, one for each of Annotation::columns; of a line that is there for its text
  /// alone, none.
  llvm::SmallVector<std::string, 3> cells = {};
  /// Of the whole, from 0 to 1.
  double share = 0;
  /// Nothing where the source is not at hand.
  std::optional<std::string> text = {};
  /// One of those with the largest share.
  bool isHot = false;
  /// It has code, which was never executed.
  bool isNeverRun = false;
  /// What else is said of it, below it.
  std::vector<std::string> notes = {};
  /// Its instructions, where they are asked for.
  llvm::ArrayRef<std::string> code = {};
};

/// Lines of a file. Texts are what displayName() makes.
struct AnnotatedPart {
  std::string heading;
  /// Why there are no texts; empty if there are.
  std::string missing;
  /// In ascending order. A missing number stands for lines without a comment.
  std::vector<AnnotatedLine> lines;
  /// Whether these are straight runs of a module's code, with their offsets in its file.
  bool isCode = false;

  /// Of a line, as it is shown.
  std::string numberOf(const AnnotatedLine &line) const;
  /// Whether something that is not shown stands between two lines.
  bool isGap(const AnnotatedLine &before, const AnnotatedLine &line) const {
    return !isCode && line.number != before.number + 1;
  }
};

struct Annotation {
  std::string title;
  /// What is shown, and how much of it there is.
  std::string heading;
  /// Headings of the cells.
  std::vector<std::string> columns;
  std::vector<AnnotatedPart> parts;
  /// Sentences below them.
  std::vector<std::string> notes;
};

/// Source files, each read once. Holds what it has read.
class SourceFiles {
public:
  /// The text of a file that may not be there. The first that is given counts.
  void provide(llvm::StringRef path, llvm::StringRef text) {
    provided_.try_emplace(path.str(), text.str());
  }
  /// A line of the file, counted from 1, without what ends it; nothing if it has none.
  std::optional<llvm::StringRef> line(llvm::StringRef path, uint32_t number);
  /// How many lines the file has.
  size_t size(llvm::StringRef path) { return open(path).lines.size(); }
  /// Why it cannot be read; empty if it can. Only regular files are, of up to 64 MiB.
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
  /// Globs of functions' names, or files: paths, or their ends. Empty: the hottest functions.
  std::vector<std::string> wanted = {};
  /// So many of these; 0: all.
  uint64_t functions = 5;
  /// So many lines around each that has weight.
  uint32_t context = 3;
  /// The instructions of a line with weight, which outlive the annotation; null: none are shown.
  std::function<llvm::ArrayRef<std::string>(llvm::StringRef file, uint32_t line)> codeOf = {};
};

/// Whether a path is what is asked for: itself, or its end.
bool isCalled(llvm::StringRef path, llvm::StringRef wanted);
/// `file: function, 12.3 %`, without a function if it is empty.
std::string partHeading(llvm::StringRef file, llvm::StringRef function, llvm::StringRef share);
/// Adds the texts of a part's lines, so many lines of the file around each of them, and the code.
void addSource(AnnotatedPart &part, llvm::StringRef file, const AnnotationRequest &request,
               SourceFiles &files);
/// Finds the hot lines of all parts.
void markHot(Annotation &annotation);

/// The lines of `profile`, in the places of placeOf(). Fails if it has nothing that is wanted.
llvm::Expected<Annotation> annotate(const Profile &profile, const AnnotationRequest &request,
                                    SourceFiles &files);

} // namespace warpo

#endif
