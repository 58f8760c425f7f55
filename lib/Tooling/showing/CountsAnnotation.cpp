//===- CountsAnnotation.cpp -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "CountsAnnotation.h"
#include "../reading/CodeListing.h"
#include "warpo/Output/Quantities.h"
#include "warpo/Support/Demangle.h"
#include "warpo/Support/DisplayName.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/NameGlobs.h"
#include "warpo/Wasm/FunctionNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace llvm;
using namespace warpo;

// The maximum numbers shown on a line.
static constexpr size_t shownBranches = 3;
static constexpr size_t shownPlaces = 3;
// Of a table with more than mostWays targets, only the shownWays most frequent are shown.
static constexpr size_t mostWays = 8;
static constexpr size_t shownWays = 3;

// Rounds to whole percents, but 0 and 100 are exact. Halves are rounded to even, so that the shares
// of two ways add up to 100.
static std::string percentOf(uint64_t part, uint64_t whole) {
  if (part == 0)
    return "0";
  if (part == whole)
    return "100";
  double percent = 100.0 * double(part) / double(whole);
  return percent < 1 ? "<1" : percent > 99 ? ">99" : std::to_string(std::lrint(percent));
}

// `3/97 %`: the shares of taken and not taken, or of each target of a table; `40, 7, 1 % of 90
// ways`.
static std::string shareOfArms(const CountedBranch &branch) {
  uint64_t all = 0;
  for (uint64_t arm : branch.arms)
    all = SaturatingAdd(all, arm);
  if (all == 0)
    return "-";
  std::string text;
  if (branch.arms.size() <= mostWays) {
    for (uint64_t arm : branch.arms)
      text += (text.empty() ? "" : "/") + percentOf(arm, all);
    return text + " %";
  }
  std::vector<uint64_t> arms = branch.arms;
  std::partial_sort(arms.begin(), arms.begin() + shownWays, arms.end(), std::greater<>());
  for (uint64_t arm : ArrayRef(arms).take_front(shownWays))
    text += (text.empty() ? "" : ", ") + percentOf(arm, all);
  return text + " % of " + std::to_string(arms.size()) + " ways";
}

static std::string branchCell(ArrayRef<CountedBranch> branches) {
  std::string cell;
  for (const CountedBranch &branch : branches.take_front(shownBranches))
    cell += (cell.empty() ? "" : ", ") + shareOfArms(branch);
  if (branches.size() > shownBranches)
    cell += " and " + std::to_string(branches.size() - shownBranches) + " more";
  return cell;
}

namespace {

/// The functions that begin on a line, such as instances of a template; the one with the most
/// instructions comes first. Or no function, but lines between functions: source maps do not say
/// which code was inlined, and the function it comes from may not be in the module.
struct FunctionGroup {
  const CountedFile *file = nullptr;
  uint32_t line = 0;
  std::vector<const CountedFunction *> functions = {};
  uint64_t instructions = 0;
  uint32_t lastLine = 0;
};

/// Sorts pointers into one list: most instructions first, equal ones in the list's order.
template <typename T> void sortByInstructions(std::vector<const T *> &items) {
  llvm::sort(items, [](const T *a, const T *b) {
    return std::pair(b->instructions, a) < std::pair(a->instructions, b);
  });
}

class CountsAnnotator {
public:
  CountsAnnotator(const Coverage &coverage, StringRef title, const AnnotationRequest &request,
                  SourceFiles &files)
      : coverage_(coverage), request_(request), files_(files), whole_(coverage.source.instructions),
        names_(coverage.counts.module()), runTexts_(coverage.counts.module()) {
    annotation_.title = displayName(title);
    annotation_.heading =
        annotation_.title + ": executions, " + formatWeight(whole_, "instructions");
    annotation_.columns = {"share", "executions"};
    if (coverage.showsBranches)
      annotation_.columns.push_back("branches");
    for (const CountedFile &file : coverage.source.files)
      addGroups(file);
  }

  Expected<Annotation> run() {
    if (request_.wanted.empty())
      addHottest();
    for (const std::string &wanted : request_.wanted)
      if (Error error = addWanted(wanted))
        return error;
    addNotes();
    markHot(annotation_);
    return std::move(annotation_);
  }

private:
  void addGroups(const CountedFile &file);
  void addLinesBetween(const CountedFile &file, size_t firstGroup);
  void addHottest();
  Error addWanted(const std::string &wanted);
  void addNotes();
  void addFile(const CountedFile &file);
  void addFunctions(const FunctionGroup &group);
  void addPart(const CountedFile &file, StringRef function, uint32_t firstLine, uint32_t lastLine);
  AnnotatedLine annotate(const CountedLine &line) const;
  std::string describe(const InlinedCalls &calls) const;

  const Coverage &coverage_;
  const AnnotationRequest &request_;
  SourceFiles &files_;
  uint64_t whole_;
  wasm::FunctionNames names_;
  RunTexts runTexts_;
  std::vector<FunctionGroup> groups_;
  Annotation annotation_;
};

} // namespace

void CountsAnnotator::addGroups(const CountedFile &file) {
  size_t first = groups_.size();
  for (const CountedFunction &function : file.functions) {
    if (groups_.size() == first || groups_.back().line != function.line)
      groups_.push_back({&file, function.line});
    FunctionGroup &group = groups_.back();
    group.functions.push_back(&function);
    group.instructions = SaturatingAdd(group.instructions, function.instructions);
    group.lastLine = std::max(group.lastLine, function.lastLine);
  }
  for (FunctionGroup &group : MutableArrayRef(groups_).drop_front(first))
    sortByInstructions(group.functions);
  addLinesBetween(file, first);
}

// Groups the executed lines that no function of the file has, from one function to the next.
void CountsAnnotator::addLinesBetween(const CountedFile &file, size_t firstGroup) {
  std::vector<FunctionGroup> between;
  size_t next = firstGroup, nextOfLast = SIZE_MAX;
  uint32_t end = 0;
  for (const auto &[number, line] : file.lines) {
    for (; next != groups_.size() && groups_[next].line <= number; ++next)
      end = std::max(end, groups_[next].lastLine);
    if (number <= end || line.instructions == 0)
      continue;
    if (next != nextOfLast)
      between.push_back({&file, number});
    nextOfLast = next;
    between.back().lastLine = number;
    between.back().instructions = SaturatingAdd(between.back().instructions, line.instructions);
  }
  llvm::append_range(groups_, between);
}

void CountsAnnotator::addHottest() {
  std::vector<const FunctionGroup *> sorted;
  for (const FunctionGroup &group : groups_)
    sorted.push_back(&group);
  sortByInstructions(sorted);
  size_t shown = sorted.size();
  if (request_.functions > 0)
    shown = std::min<size_t>(shown, request_.functions);
  for (const FunctionGroup *group : ArrayRef(sorted).take_front(shown))
    addFunctions(*group);
  auto rest = ArrayRef(sorted).drop_front(shown);
  auto functions = size_t(
      llvm::count_if(rest, [](const FunctionGroup *each) { return !each->functions.empty(); }));
  if (!rest.empty())
    annotation_.notes.push_back(
        (functions ? countOf(functions, "further function") : std::string("further lines")) +
        "; --top=0 shows all, a name or file as an argument that one");
}

Error CountsAnnotator::addWanted(const std::string &wanted) {
  auto globs = NameGlobs::create({wanted}, "function");
  if (!globs)
    return globs.takeError();
  bool isFound = false;
  for (const FunctionGroup &group : groups_)
    if (any_of(group.functions, [&](const CountedFunction *each) {
          return globs->matches(each->name) || globs->matches(demangleName(each->name)) ||
                 globs->matches(briefName(each->name));
        })) {
      addFunctions(group);
      isFound = true;
    }
  for (const CountedFile &file : coverage_.source.files)
    if (isCalled(file.path, wanted)) {
      addFile(file);
      isFound = true;
    }
  if (isFound)
    return Error::success();
  return makeError("no function with a known place and no source file is called '" + wanted +
                   "'; --format=summary lists files");
}

// For code, makes a part for each function of the module, as the code does not name it.
void CountsAnnotator::addFile(const CountedFile &file) {
  if (!coverage_.showsRuns)
    return addPart(file, "", 0, UINT32_MAX);
  for (const FunctionGroup &group : groups_)
    if (group.file == &file)
      addFunctions(group);
}

void CountsAnnotator::addFunctions(const FunctionGroup &group) {
  if (group.functions.empty())
    return addPart(*group.file, "", group.line, group.lastLine);
  std::string name = briefName(group.functions.front()->name);
  if (size_t more = group.functions.size() - 1)
    name += " and " + countOf(more, "more instance");
  addPart(*group.file, name, group.line, group.lastLine);
}

AnnotatedLine CountsAnnotator::annotate(const CountedLine &line) const {
  AnnotatedLine shown;
  shown.share = whole_ ? double(line.instructions) / double(whole_) : 0;
  shown.isNeverRun = line.executions == 0;
  shown.cells = {line.instructions ? formatShare(line.instructions, whole_) : "",
                 groupDigits(line.executions)};
  if (coverage_.showsBranches)
    shown.cells.push_back(branchCell(line.branches));
  return shown;
}

// `sort(int*) inlined here into main and run: 12 calls, 3.5 %`
std::string CountsAnnotator::describe(const InlinedCalls &calls) const {
  std::string text = displayShortName(briefName(calls.callee)) + " inlined here, into ";
  for (auto [number, function] : enumerate(ArrayRef(calls.into).take_front(shownPlaces)))
    text += (number ? ", " : "") + displayShortName(briefName(names_[function]));
  if (calls.into.size() > shownPlaces)
    text += " and " + countOf(calls.into.size() - shownPlaces, "more function");
  return text + ": " + formatWeight(calls.executions, "calls") + ", " +
         formatShare(calls.instructions, whole_);
}

void CountsAnnotator::addPart(const CountedFile &file, StringRef function, uint32_t firstLine,
                              uint32_t lastLine) {
  std::map<uint32_t, AnnotatedLine> lines;
  uint64_t instructions = 0;
  for (auto line = file.lines.lower_bound(firstLine);
       line != file.lines.end() && line->first <= lastLine; ++line) {
    lines[line->first] = annotate(line->second);
    instructions = SaturatingAdd(instructions, line->second.instructions);
  }
  auto begins = [](const CountedFunction &each, uint32_t line) { return each.line < line; };
  for (auto each = llvm::lower_bound(file.functions, firstLine, begins);
       each != file.functions.end() && each->line <= lastLine; ++each) {
    AnnotatedLine &line = lines[each->line];
    if (each->executions != 0)
      continue;
    line.isNeverRun |= line.cells.empty();
    line.notes.push_back("never called: " + displayShortName(briefName(each->name)));
  }
  for (auto calls = file.inlined.lower_bound(firstLine);
       calls != file.inlined.end() && calls->first <= lastLine; ++calls)
    for (const InlinedCalls &each : calls->second)
      if (each.executions != 0)
        lines[calls->first].notes.push_back(describe(each));
  AnnotatedPart part;
  part.heading = partHeading(file.path, function, formatShare(instructions, whole_));
  part.lines.reserve(lines.size());
  for (auto &[number, line] : lines) {
    line.number = number;
    part.lines.push_back(std::move(line));
  }
  part.isCode = coverage_.showsRuns;
  if (part.isCode) {
    // The first line of the code names the function.
    if (request_.codeOf)
      for (AnnotatedLine &line : part.lines) {
        ArrayRef<std::string> code = request_.codeOf(file.path, line.number);
        line.code = code.drop_front(std::min<size_t>(code.size(), 1));
      }
    else
      runTexts_.add(part.lines);
  } else {
    addSource(part, file.path, request_, files_);
  }
  annotation_.parts.push_back(std::move(part));
}

void CountsAnnotator::addNotes() {
  uint64_t known = 0;
  for (const CountedFile &file : coverage_.source.files)
    for (const auto &[number, line] : file.lines)
      known = SaturatingAdd(known, line.instructions);
  if (known < whole_)
    annotation_.notes.push_back(formatShare(whole_ - known, whole_) +
                                " is code whose line is not known");
}

Expected<Annotation> warpo::annotateCounts(const Coverage &coverage, StringRef title,
                                           const AnnotationRequest &request, SourceFiles &files) {
  return CountsAnnotator(coverage, title, request, files).run();
}
