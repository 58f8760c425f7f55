//===- RecordBatch.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Record/RecordBatch.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/SectionId.h"
#include "llvm/Support/ErrorHandling.h"
#include <unordered_set>

using namespace llvm;
using namespace warpo;

FunctionRef StreamInfo::functionOf(int32_t id) const {
  std::optional<size_t> place = windows.find(id);
  if (!place)
    return {moduleId, id};
  const ModuleWindow &window = windows.declared()[*place];
  return {window.moduleId, window.id + (id - window.first)};
}

int32_t StreamInfo::idOf(const FunctionRef &function) const {
  bool isOwn = function.moduleId == moduleId || isReserved(function.id);
  return isOwn && !windows.find(function.id) ? function.id
                                             : windows.idOf(function.moduleId, function.id);
}

std::vector<uint64_t> StreamInfo::moduleIds() const {
  std::vector<uint64_t> modules{moduleId};
  std::unordered_set<uint64_t> seen{moduleId};
  for (const ModuleWindow &window : windows.declared())
    if (seen.insert(window.moduleId).second)
      modules.push_back(window.moduleId);
  return modules;
}

static NoteWords wordsOfLoss(const RecordNote &note) {
  if (note.count == 0)
    return {1, "gap of unknown length", "gaps of unknown length"};
  switch (note.cause) {
  case LossCause::unknown:
    return {note.count, "event that was lost when recording",
            "events that were lost when recording"};
  case LossCause::bufferFull:
    return {note.count, "event lost when recording, as the buffer was full",
            "events lost when recording, as the buffer was full"};
  case LossCause::limit:
    return {note.count, "event not recorded, as the limit was reached",
            "events not recorded, as the limit was reached"};
  case LossCause::writeFailed:
    return {note.count, "event lost when recording, as it could not be written",
            "events lost when recording, as they could not be written"};
  case LossCause::processEnded:
    return {note.count, "event lost when the recording process ended",
            "events lost when the recording process ended"};
  }
  llvm_unreachable("every cause has words");
}

void SideCounts::add(const SideEntries &entries) {
  auto addKind = [](const char *, const char *, uint64_t &count, const auto &column) {
    count += column.size();
  };
  forEachSideKind(addKind, *this, entries);
}

void SideCounts::add(const SideCounts &others) {
  auto addKind = [](const char *, const char *, uint64_t &count, uint64_t more) { count += more; };
  forEachSideKind(addKind, *this, others);
}

std::vector<std::string> SideCounts::words() const {
  std::vector<std::string> words;
  auto addWords = [&](const char *singular, const char *plural, uint64_t count) {
    if (count > 0)
      words.push_back(countOf(count, singular, plural));
  };
  forEachSideKind(addWords, *this);
  return words;
}

NoteWords warpo::wordsOf(const RecordNote &note, ArrayRef<Measure> columns) {
  switch (note.kind) {
  case NoteKind::lost:
    return wordsOfLoss(note);
  case NoteKind::truncatedEntry:
    return {note.count, "byte of an entry that is cut off", "bytes of an entry that is cut off"};
  case NoteKind::invalidId:
    return {note.count, "entry with an id that no function can have",
            "entries with an id that no function can have"};
  case NoteKind::timeWentBack:
    return {1, "entry whose time goes back", "entries whose time goes back"};
  case NoteKind::countWentBack: {
    std::string name = note.column < columns.size() ? columns[note.column].name : "count";
    return {1, "entry whose " + name + " goes back", "entries whose " + name + " goes back"};
  }
  case NoteKind::skippedBytes:
    return {note.count, "byte that makes no sense", "bytes that make no sense"};
  case NoteKind::notClosed:
    return {1, "record that was not closed: its last events may be missing",
            "records that were not closed: their last events may be missing"};
  case NoteKind::lostSomewhere:
    return {note.count, "event lost when recording, at an unknown place",
            "events lost when recording, at unknown places"};
  case NoteKind::clockLeftOut:
    return {
        1,
        "clock that is left out, as its name is taken or no measure's, or a record has at most " +
            std::to_string(maxColumns) + " beside its first",
        "clocks that are left out, as their names are taken or no measure's, or a record has at "
        "most " +
            std::to_string(maxColumns) + " beside its first"};
  case NoteKind::unusableIndex:
    return {1, "index of blocks that does not match its record: everything was read",
            "indexes of blocks that do not match their records: everything was read"};
  }
  llvm_unreachable("every kind has words");
}

std::string warpo::describe(const RecordNote &note, ArrayRef<Measure> columns) {
  NoteWords words = wordsOf(note, columns);
  std::string text = countOf(words.count, words.singular, words.plural);
  if (note.kind == NoteKind::timeWentBack || note.kind == NoteKind::countWentBack)
    text += ", by " + countOf(note.count, "count");
  return text;
}
