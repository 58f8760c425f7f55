//===- Annotation.cpp - From a profile to lines ---------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Report/Annotation.h"
#include "../ContextSums.h"
#include "warpo/Output/Quantities.h"
#include "warpo/Support/CallKind.h"
#include "warpo/Support/DisplayName.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/NameGlobs.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;

/// The function's name without its call kind.
static StringRef plainName(const ProfileFunction &function) {
  return splitCallKind(function.name).first;
}

static bool hasPlace(const ProfileFunction &function) {
  return function.kind != FunctionKind::pseudo && !placeOf(function).first.empty();
}

namespace {

/// The self and inclusive weight of a line. A call from within the same line counts once.
struct LineWeight {
  uint64_t self = 0;
  uint64_t total = 0;
};

using FileLines = std::map<std::string, std::map<uint32_t, LineWeight>>;

class Annotator {
public:
  Annotator(const Profile &profile, const AnnotationRequest &request, SourceFiles &files)
      : profile_(profile), request_(request), files_(files), whole_(profile.total()),
        unit_(displayName(profile.unit())), inclusive_(profile.inclusive()) {
    std::map<std::pair<StringRef, uint32_t>, uint32_t> numbers;
    for (const ProfileFunction &function : profile.functions)
      lineOfFunction_.push_back(
          numbers.try_emplace(placeOf(function), uint32_t(numbers.size())).first->second);
    isOutermost_ = outermostOf(profile, lineOfFunction_);
  }

  Expected<Annotation> run() {
    annotation_.title = displayName(profile_.title);
    annotation_.heading = annotation_.title + ": " +
                          displayName(profile_.weights[profile_.shown].name) + ", " +
                          amount(whole_);
    annotation_.columns = {"share", "self", "total"};
    if (request_.wanted.empty())
      addHottest();
    for (const std::string &wanted : request_.wanted)
      if (Error error = addWanted(wanted))
        return error;
    markHot(annotation_);
    return std::move(annotation_);
  }

private:
  /// The weights of lines in the selected functions.
  FileLines sumLines(const BitVector &chosen) const {
    FileLines lines;
    for (NodeIndex node = 1; node < profile_.tree.size(); ++node) {
      FunctionIndex index = profile_.tree[node].function;
      const ProfileFunction &function = profile_.functions[index];
      if (!chosen[index] || !hasPlace(function))
        continue;
      auto [file, number] = placeOf(function);
      LineWeight &weight = lines[file.str()][number];
      weight.self = SaturatingAdd(weight.self, profile_.self(node));
      if (isOutermost_[node])
        weight.total = SaturatingAdd(weight.total, inclusive_[node]);
    }
    return lines;
  }

  BitVector functionsWhere(function_ref<bool(const ProfileFunction &)> isChosen) const {
    BitVector chosen(unsigned(profile_.functions.size()));
    for (const auto &[index, function] : enumerate(profile_.functions))
      if (isChosen(function))
        chosen.set(unsigned(index));
    return chosen;
  }

  /// Adds the functions with this name and any call kind.
  void addFunction(StringRef name) {
    BitVector chosen = functionsWhere([&](const ProfileFunction &function) {
      return hasPlace(function) && plainName(function) == name;
    });
    FileLines files = sumLines(chosen);
    // Include the line where each begins, to show its name.
    for (unsigned index : chosen.set_bits()) {
      const ProfileFunction &function = profile_.functions[index];
      if (auto lines = files.find(function.file.ref().str()); lines != files.end() && function.line)
        lines->second[function.line];
    }
    for (const auto &[file, lines] : files)
      addPart(name, file, lines);
  }

  void addHottest() {
    std::map<StringRef, uint64_t> selfOfName;
    uint64_t elsewhere = 0;
    for (NodeIndex node = 1; node < profile_.tree.size(); ++node) {
      const ProfileFunction &function = profile_.function(node);
      uint64_t &sum = hasPlace(function) ? selfOfName[plainName(function)] : elsewhere;
      sum = SaturatingAdd(sum, profile_.self(node));
    }
    std::vector<std::pair<StringRef, uint64_t>> sorted(selfOfName.begin(), selfOfName.end());
    llvm::sort(sorted, [](const auto &a, const auto &b) {
      return std::tie(b.second, a.first) < std::tie(a.second, b.first);
    });
    size_t shown = sorted.size();
    if (request_.functions > 0)
      shown = std::min<size_t>(shown, request_.functions);
    for (const auto &[name, self] : ArrayRef(sorted).take_front(shown))
      addFunction(name);
    if (shown < sorted.size())
      annotation_.notes.push_back(countOf(sorted.size() - shown, "further function") +
                                  "; --top=0 shows all, a name or file as an argument that one");
    if (none_of(profile_.functions, hasPlace))
      annotation_.notes.push_back(
          "no function's place in the source is known: compile with debug information (-g) and "
          "instrument that, or give --mapping with places");
    else if (elsewhere > 0)
      annotation_.notes.push_back(formatShare(elsewhere, whole_) +
                                  " is in functions whose place in the source is not known");
  }

  Error addWanted(const std::string &wanted) {
    auto globs = NameGlobs::create({wanted}, "function");
    if (!globs)
      return globs.takeError();
    std::map<StringRef, bool> names, paths;
    for (const ProfileFunction &function : profile_.functions) {
      if (!hasPlace(function))
        continue;
      if (globs->matches(function.name) || globs->matches(plainName(function)))
        names[plainName(function)] = true;
      if (StringRef path = placeOf(function).first; isCalled(path, wanted))
        paths[path] = true;
    }
    for (const auto &[name, isWanted] : names)
      addFunction(name);
    for (const auto &[path, isWanted] : paths) {
      FileLines files = sumLines(functionsWhere(
          [&](const ProfileFunction &function) { return placeOf(function).first == path; }));
      for (const auto &[file, lines] : files)
        addPart("", file, lines);
    }
    if (!names.empty() || !paths.empty())
      return Error::success();
    return makeError("no function with a known place and no source file is called '" + wanted +
                     "'; warpo-report lists functions, with --by=file files");
  }

  std::string amount(uint64_t weight) const { return formatWeight(weight, unit_); }

  void addPart(StringRef function, const std::string &file,
               const std::map<uint32_t, LineWeight> &weights) {
    AnnotatedPart part;
    uint64_t all = 0;
    for (const auto &[number, weight] : weights) {
      AnnotatedLine &line = part.lines.emplace_back();
      line.number = number;
      line.share = whole_ ? double(weight.self) / double(whole_) : 0;
      line.cells = {weight.self ? formatShare(weight.self, whole_) : "",
                    weight.self ? amount(weight.self) : "",
                    weight.total ? amount(weight.total) : ""};
      all = SaturatingAdd(all, weight.self);
    }
    part.heading = partHeading(file, function, formatShare(all, whole_));
    addSource(part, file, request_, files_);
    annotation_.parts.push_back(std::move(part));
  }

  const Profile &profile_;
  const AnnotationRequest &request_;
  SourceFiles &files_;
  uint64_t whole_;
  std::string unit_;
  std::vector<uint64_t> inclusive_;
  std::vector<uint32_t> lineOfFunction_;
  std::vector<bool> isOutermost_;
  Annotation annotation_;
};

} // namespace

Expected<Annotation> warpo::annotate(const Profile &profile, const AnnotationRequest &request,
                                     SourceFiles &files) {
  return Annotator(profile, request, files).run();
}
