//===- HeapTable.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Report/HeapTable.h"
#include "ContextSums.h"
#include "warpo/Output/Quantities.h"
#include "warpo/Output/StackText.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;
using namespace warpo;

/// The same for stacks that the table shows alike, as those of a recursion.
static std::string shownKey(const FunctionTable &functions, ArrayRef<uint32_t> stacks) {
  std::string key;
  for (uint32_t stack : stacks) {
    auto [frames, hasMore] = shownStack(functions, stack);
    frames.push_back(FunctionIndex(2 * frames.size() + hasMore));
    key.append(reinterpret_cast<const char *>(frames.data()),
               frames.size() * sizeof(FunctionIndex));
  }
  return key;
}

/// Adds up the entries that have the same key.
template <typename Entry, typename Key, typename Add>
static std::vector<Entry> joinAlike(ArrayRef<Entry> entries, Key keyOf, Add add) {
  std::vector<Entry> joined;
  StringMap<size_t> places;
  for (const Entry &entry : entries) {
    auto [place, isNew] = places.try_emplace(keyOf(entry), joined.size());
    if (isNew)
      joined.push_back(entry);
    else
      add(joined[place->second], entry);
  }
  return joined;
}

static std::vector<HeapPath> shownPaths(const HeapAnalysis &heap, const FunctionTable &functions) {
  return joinAlike<HeapPath>(
      heap.paths(), [&](const HeapPath &path) { return shownKey(functions, path.stack); },
      [](HeapPath &sum, const HeapPath &path) { sum += path; });
}

static std::vector<WrongFrees> shownWrongFrees(const HeapAnalysis &heap,
                                               const FunctionTable &functions, bool isAgain) {
  std::vector<WrongFrees> chosen;
  for (const WrongFrees &frees : heap.wrongFrees())
    if (frees.isAgain == isAgain)
      chosen.push_back(frees);
  return joinAlike<WrongFrees>(
      chosen,
      [&](const WrongFrees &frees) {
        return shownKey(functions, {frees.stack, frees.freedBy, frees.allocatedBy});
      },
      [](WrongFrees &sum, const WrongFrees &frees) { sum.count += frees.count; });
}

namespace {

class HeapRows {
public:
  HeapRows(const HeapAnalysis &heap, const FunctionTable &functions,
           const HeapTableOptions &options, StringRef title)
      : heap_(heap), totals_(heap.totals()), functions_(functions), options_(options),
        paths_(shownPaths(heap, functions)) {
    table_.title = title.str();
    table_.isTree = true;
    table_.columns = {{"share", CellKind::share, "", 3},
                      {"bytes", CellKind::weight, "bytes"},
                      {"objects", CellKind::count, "", 1},
                      {"age", CellKind::weight, options.scale ? "ns" : options.unit, 2},
                      {"what"}};
  }

  Table make() {
    addMemory();
    addCalls();
    addMistakes();
    if (!options_.beganLate)
      addLeft();
    addGrowing();
    addGrowth();
    addTables();
    addDistribution("sizes of allocations", totals_.sizes, totals_.allocated);
    addDistribution("lifetimes of freed objects, in bytes allocated meanwhile", totals_.lifetimes,
                    totals_.freed);
    addNotes();
    return std::move(table_);
  }

private:
  void addHeading(const Twine &what) {
    table_.rows.push_back({{Cell(), Cell(), Cell(), Cell(), what.str()}, 0, {}, RowText::sentence});
  }
  void addRow(Cell share, Cell bytes, Cell objects, Cell age, const Twine &what,
              RowText text = RowText::sentence, unsigned depth = 1) {
    table_.rows.push_back(
        {{std::move(share), std::move(bytes), std::move(objects), std::move(age), what.str()},
         depth,
         {},
         text});
  }
  void addAmount(const HeapAmount &amount, const Twine &what, Cell share = {}) {
    addRow(std::move(share), amount.bytes, amount.objects(), {}, what);
  }
  void addCount(uint64_t count, const Twine &what) {
    if (count > 0)
      addRow({}, {}, count, {}, what);
  }
  uint64_t shown(uint64_t counts) const {
    return options_.scale ? options_.scale->toNanoseconds(counts) : counts;
  }

  void addMemory() {
    addHeading("memory");
    const HeapMoment *const moments[] = {&totals_.start, &totals_.peak, &totals_.end};
    const StringRef names[] = {"at the start", "at the peak", "at the end"};
    bool isKnown = totals_.end.memory > 0;
    bool wasLive = totals_.peak.live.bytes > 0;
    for (const auto &[moment, name] : zip(moments, names))
      if (isKnown && (moment != &totals_.peak || wasLive))
        addRow({}, moment->memory, {}, {}, name);
    if (options_.beganLate || !totals_.sawAllocators())
      return;
    addHeading("live, as a share of the memory");
    for (const auto &[moment, name] : zip(moments, names)) {
      if (moment == &totals_.start || (moment == &totals_.peak && !wasLive))
        continue;
      bool fits = isKnown && moment->memory > 0 && moment->live.bytes <= moment->memory;
      addAmount(moment->live, name,
                fits ? Cell(shareOf(moment->live.bytes, moment->memory)) : Cell());
    }
  }

  void addCalls() {
    if (!totals_.sawAllocators()) {
      table_.notes.push_back(
          ("no call of an allocator was recorded: " + howToNameAllocators).str());
      return;
    }
    addHeading("allocated and freed");
    addAmount(totals_.allocated, "allocated");
    addAmount(totals_.freed, "freed");
    // All other columns need every call.
    if (heap_.isSampled())
      return;
    addAmount(totals_.temporary, "temporary: freed by the very next heap event of its thread",
              shareOf(totals_.temporary.bytes, totals_.allocated.bytes));
    addCount(totals_.reallocations, "reallocated (counts as freed and allocated)");
    addCount(totals_.failed, "allocations that failed");
  }

  void addStack(Cell objects, uint32_t stack, unsigned depth) {
    addRow({}, {}, std::move(objects), {}, stackText(functions_, stack), RowText::stack, depth);
  }

  /// By whom, the most frequent ones; of those freed again also who had freed and allocated them.
  void addWrongFrees(bool isAgain, uint64_t total) {
    std::vector<WrongFrees> wrong = shownWrongFrees(heap_, functions_, isAgain);
    std::vector<const WrongFrees *> sorted;
    for (const WrongFrees &frees : wrong)
      sorted.push_back(&frees);
    // Of equal counts the first comes first.
    llvm::sort(sorted, [](const WrongFrees *a, const WrongFrees *b) {
      return std::pair(b->count, a) < std::pair(a->count, b);
    });
    size_t limit = options_.maxPaths == 0 ? sorted.size() : options_.maxPaths;
    for (const WrongFrees *each : ArrayRef(sorted).take_front(limit)) {
      const WrongFrees &frees = *each;
      total -= frees.count;
      addStack(frees.count, frees.stack, 2);
      if (!isAgain)
        continue;
      addRow({}, {}, {}, {}, "freed before by", RowText::sentence, 3);
      addStack({}, frees.freedBy, 4);
      addRow({}, {}, {}, {}, "allocated by", RowText::sentence, 3);
      addStack({}, frees.allocatedBy, 4);
    }
    if (total > 0)
      addRow({}, {}, total, {}, "(by further paths)", RowText::sentence, 2);
  }

  void addMistakes() {
    size_t before = table_.rows.size();
    addHeading("wrong");
    addCount(totals_.freedAgain, "freed again, soon after they were freed");
    addWrongFrees(/*isAgain=*/true, totals_.freedAgain);
    addCount(totals_.neverAllocated, "freed, but never allocated");
    addWrongFrees(/*isAgain=*/false, totals_.neverAllocated);
    addCount(totals_.givenOutTwice, "addresses allocated again without a free");
    addCount(totals_.tooLarge,
             "events of impossible sizes, or of too many memories, tables or objects, left out");
    if (table_.rows.size() == before + 1)
      table_.rows.resize(before);
    if (totals_.givenOutTwice > 0)
      table_.notes.push_back("an address that is allocated again without a free was freed by a "
                             "function that is not known to free, as in Rust's modules without "
                             "names, or by a module that was not instrumented");
    if (totals_.neverAllocated > 0)
      table_.notes.push_back("memory that is freed without an allocation is in a data segment, or "
                             "comes from an allocator or a module that was not instrumented");
  }

  using Amount = function_ref<uint64_t(const HeapPath &)>;
  /// The paths with a nonzero amount, the largest first.
  std::vector<const HeapPath *> pathsBy(Amount amount) const {
    std::vector<const HeapPath *> paths;
    for (const HeapPath &path : paths_)
      if (amount(path) > 0)
        paths.push_back(&path);
    llvm::sort(paths, [&](const HeapPath *a, const HeapPath *b) {
      uint64_t ofA = amount(*a), ofB = amount(*b);
      return ofA != ofB ? ofA > ofB : a < b;
    });
    return paths;
  }
  void addPaths(const Twine &heading, ArrayRef<const HeapPath *> paths,
                function_ref<void(const HeapPath &)> add) {
    if (paths.empty())
      return;
    addHeading(heading);
    size_t limit = options_.maxPaths == 0 ? paths.size() : options_.maxPaths;
    for (const HeapPath *path : paths.take_front(limit))
      add(*path);
    if (paths.size() > limit)
      addRow({}, {}, {}, {}, "(" + countOf(paths.size() - limit, "further path") + ")");
  }

  void addLeft() {
    std::vector<const HeapPath *> paths =
        pathsBy([](const HeapPath &path) { return std::max(path.live.bytes, path.live.parts); });
    llvm::sort(paths, [](const HeapPath *a, const HeapPath *b) {
      return a->live.bytes != b->live.bytes ? a->live.bytes > b->live.bytes : a < b;
    });
    addPaths("not freed at the end, with the age of the oldest", paths, [&](const HeapPath &path) {
      addRow(shareOf(path.live.bytes, totals_.end.live.bytes), path.live.bytes, path.live.objects(),
             shown(path.oldest), stackText(functions_, path.stack), RowText::stack);
    });
  }

  void addGrowing() {
    std::vector<const HeapPath *> paths =
        pathsBy([](const HeapPath &path) { return path.growsSteadily() ? path.live.bytes : 0; });
    if (!options_.beganLate)
      addPaths("live memory grows steadily", paths, [&](const HeapPath &path) {
        addRow({}, path.live.bytes, path.live.objects(), {}, stackText(functions_, path.stack),
               RowText::stack);
      });
  }

  void addGrowth() {
    addPaths("memory grew, in " + countOf(totals_.growths, "step"),
             pathsBy([](const HeapPath &path) { return path.grown; }), [&](const HeapPath &path) {
               addRow({}, path.grown, {}, {}, stackText(functions_, path.stack), RowText::stack);
             });
  }

  /// Elements are counts, and never added to bytes.
  void addTables() {
    if (totals_.tableGrowths == 0)
      return;
    addHeading("tables, by their elements");
    addRow({}, {}, totals_.start.tables, {}, "at the start");
    addRow({}, {}, totals_.end.tables, {}, "at the end");
    addPaths("tables grew, in " + countOf(totals_.tableGrowths, "step"),
             pathsBy([](const HeapPath &path) { return path.tablesGrown; }),
             [&](const HeapPath &path) {
               addRow({}, {}, path.tablesGrown, {}, stackText(functions_, path.stack));
             });
  }

  void addDistribution(StringRef heading, const HeapDistribution &distribution,
                       const HeapAmount &all) {
    if (all == HeapAmount())
      return;
    addHeading(heading);
    for (const auto &[index, amount] : enumerate(distribution.classes)) {
      if (amount == HeapAmount())
        continue;
      uint64_t most = index == 64 ? UINT64_MAX : (uint64_t(1) << index) - 1;
      uint64_t least = most / 2 + (index != 0);
      std::string range = groupDigits(least);
      if (least != most)
        range += " to " + groupDigits(most);
      range += most == 1 ? " byte" : " bytes";
      addAmount(amount, range, shareOf(amount.parts, all.parts));
    }
  }

  /// Whether recorded allocations do not explain most of the memory's growth. Small growth may be
  /// the allocator's own, and sampling may have missed it.
  bool isMostlyUnexplained() const {
    constexpr uint64_t least = 1 << 20, part = 4;
    uint64_t grown = totals_.end.memory - std::min(totals_.end.memory, totals_.start.memory);
    return !options_.beganLate && !heap_.isSampled() && totals_.sawAllocators() && grown >= least &&
           totals_.peak.live.bytes < grown / part;
  }

  void addNotes() {
    bool freesNothing = totals_.frees + totals_.reallocations == 0;
    if (freesNothing && !options_.beganLate && !heap_.isSampled() && totals_.sawAllocators())
      table_.notes.push_back("no free was recorded: either nothing was freed, or by functions that "
                             "are not known to free: warpo record --heap --allocator= names them");
    if (isMostlyUnexplained())
      table_.notes.push_back(
          "less than a quarter of what the memory grew by was live at any time: "
          "the rest is free space, or comes from functions that are not known to "
          "allocate: warpo record --heap --allocator= names them");
    if (heap_.isSampled())
      table_.notes.push_back("the heap was sampled: amounts are estimates");
    if (options_.beganLate)
      table_.notes.push_back("live memory is unknown, since the first part is left out");
    if (totals_.freedFromBefore > 0)
      table_.notes.push_back(countOf(totals_.freedFromBefore, "object was", "objects were") +
                             " freed that had been allocated before");
  }

  const HeapAnalysis &heap_;
  const HeapTotals &totals_;
  const FunctionTable &functions_;
  const HeapTableOptions &options_;
  std::vector<HeapPath> paths_;
  Table table_;
};

} // namespace

Table warpo::heapTable(const HeapAnalysis &heap, const FunctionTable &functions,
                       const HeapTableOptions &options, StringRef title) {
  return HeapRows(heap, functions, options, title).make();
}
