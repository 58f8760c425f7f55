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

/// A function by whatever way it was entered.
static StringRef plainName(const ProfileFunction &function) {
  return splitCallKind(function.name).first;
}

static bool hasPlace(const ProfileFunction &function) {
  return function.kind != FunctionKind::pseudo && !placeOf(function).first.empty();
}

/// Whether a path is what is asked for: itself, or its end.
static bool isCalled(StringRef path, StringRef wanted) {
  if (!path.consume_back(wanted) || wanted.empty())
    return false;
  return path.empty() || path.ends_with("/") || path.ends_with("\\");
}

/// A text of the source, fit to be shown with its indentation.
static std::string sourceText(StringRef line) {
  std::string expanded;
  for (char c : line) {
    if (c == '\t')
      expanded.append(8 - expanded.size() % 8, ' ');
    else
      expanded += c;
  }
  StringRef text = StringRef(expanded).ltrim(' ');
  if (text.empty())
    return "";
  return std::string(expanded.size() - text.size(), ' ') + displayName(text);
}

namespace {

using FileLines = std::map<std::string, std::map<uint32_t, LineWeight>>;

class Annotator {
public:
  Annotator(const Profile &profile, const AnnotationRequest &request, SourceFiles &files)
      : profile_(profile), request_(request), files_(files), inclusive_(profile.inclusive()) {
    std::map<std::pair<StringRef, uint32_t>, uint32_t> numbers;
    for (const ProfileFunction &function : profile.functions)
      lineOfFunction_.push_back(
          numbers.try_emplace(placeOf(function), uint32_t(numbers.size())).first->second);
    isOutermost_ = outermostOf(profile, lineOfFunction_);
  }

  Expected<Annotation> run() {
    annotation_.title = displayName(profile_.title);
    annotation_.weight = displayName(profile_.weights[profile_.shown].name);
    annotation_.unit = displayName(profile_.unit());
    annotation_.whole = profile_.total();
    if (request_.wanted.empty())
      addHottest();
    for (const std::string &wanted : request_.wanted)
      if (Error error = addWanted(wanted))
        return error;
    markHot();
    return std::move(annotation_);
  }

private:
  /// What was spent in lines of the functions that are chosen.
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

  /// Functions of a name that is the same however they were entered, whatever they are called in
  /// addition.
  void addFunction(StringRef name) {
    BitVector chosen = functionsWhere([&](const ProfileFunction &function) {
      return hasPlace(function) && plainName(function) == name;
    });
    FileLines files = sumLines(chosen);
    // The line where it begins says whose lines follow.
    for (unsigned index : chosen.set_bits()) {
      const ProfileFunction &function = profile_.functions[index];
      if (auto lines = files.find(function.file.ref().str()); lines != files.end() && function.line)
        lines->second[function.line];
    }
    for (const auto &[file, lines] : files)
      addPart(displayName(name), file, lines);
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
      annotation_.notes.push_back(formatShare(elsewhere, annotation_.whole) +
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

  /// Lines with weight, and those around them.
  void addPart(std::string function, const std::string &file,
               const std::map<uint32_t, LineWeight> &weights) {
    AnnotatedPart &part = annotation_.parts.emplace_back();
    part.function = std::move(function);
    part.file = displayName(file);
    part.missing = files_.problem(file).str();
    size_t size = files_.size(file);
    if (part.missing.empty() && weights.rbegin()->first > size)
      part.missing = "it has only " + countOf(size, "line") + ", and was another when compiled";
    uint64_t next = 1;
    for (const auto &[number, weight] : weights) {
      for (uint64_t around = std::max<uint64_t>(next, number - std::min(number, request_.context));
           around < number; ++around)
        addLine(part, file, uint32_t(around), {});
      addLine(part, file, number, weight);
      part.self = SaturatingAdd(part.self, weight.self);
      auto behind = weights.upper_bound(number);
      uint64_t end = std::min<uint64_t>(size, uint64_t(number) + request_.context);
      if (behind != weights.end())
        end = std::min<uint64_t>(end, behind->first - 1);
      for (next = uint64_t(number) + 1; number > 0 && next <= end; ++next)
        addLine(part, file, uint32_t(next), {});
    }
  }

  /// A line without weight is shown for its text alone.
  void addLine(AnnotatedPart &part, StringRef file, uint32_t number,
               std::optional<LineWeight> weight) {
    std::optional<StringRef> text = files_.line(file, number);
    if (!text && !weight)
      return;
    part.lines.push_back({.number = number, .weight = weight.value_or(LineWeight())});
    if (text)
      part.lines.back().text = sourceText(*text);
    if (weight && request_.codeOf)
      part.lines.back().code = request_.codeOf(file, number);
  }

  void markHot() {
    uint64_t most = 0;
    for (const AnnotatedPart &part : annotation_.parts)
      for (const AnnotatedLine &line : part.lines)
        most = std::max(most, line.weight.self);
    for (AnnotatedPart &part : annotation_.parts)
      for (AnnotatedLine &line : part.lines)
        line.isHot = line.weight.self > 0 && line.weight.self >= most - most / 2;
  }

  const Profile &profile_;
  const AnnotationRequest &request_;
  SourceFiles &files_;
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
