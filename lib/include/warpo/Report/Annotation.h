//===- Annotation.h - The source, with what was spent beside its lines ----===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_REPORT_ANNOTATION_H
#define WARPO_REPORT_ANNOTATION_H

#include "warpo/Profile/Profile.h"
#include "llvm/Support/MemoryBuffer.h"
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warpo {

/// What a line weighs: without and with what it called. A call from within the same line counts
/// once.
struct LineWeight {
  uint64_t self = 0;
  uint64_t total = 0;
};

struct AnnotatedLine {
  /// From 1; 0: which line it was is not known.
  uint32_t number = 0;
  LineWeight weight = {};
  /// Nothing where the source is not at hand.
  std::optional<std::string> text = {};
  /// One of those that weigh most by themselves.
  bool isHot = false;
  /// Its instructions, where they are asked for.
  llvm::ArrayRef<std::string> code = {};
};

/// Lines of a file. Texts are what displayName() makes.
struct AnnotatedPart {
  /// Whose lines; empty: of all functions.
  std::string function;
  std::string file;
  /// Why there are no texts; empty if there are.
  std::string missing;
  /// Rising. Where a number is left out, lines without weight are.
  std::vector<AnnotatedLine> lines;
  /// Of all lines.
  uint64_t self = 0;
};

struct Annotation {
  std::string title;
  /// Of the profile's shown weight.
  std::string weight, unit;
  uint64_t whole = 0;
  std::vector<AnnotatedPart> parts;
  /// Sentences below them.
  std::vector<std::string> notes;
};

/// Source files, each read once. Holds what it has read.
class SourceFiles {
public:
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

  std::map<std::string, File, std::less<>> files_;
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

/// The lines of `profile`, in the places of placeOf(). Fails if it has nothing that is wanted.
llvm::Expected<Annotation> annotate(const Profile &profile, const AnnotationRequest &request,
                                    SourceFiles &files);

} // namespace warpo

#endif
