//===- RecordBatch.cpp ----------------------------------------------------===//

#include "warpo/Record/RecordBatch.h"
#include "warpo/Support/Errors.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using namespace warpo;

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

NoteWords warpo::wordsOf(const RecordNote &note) {
  switch (note.kind) {
  case NoteKind::lost:
    return wordsOfLoss(note);
  case NoteKind::truncatedEntry:
    return {note.count, "byte of an entry that is cut off", "bytes of an entry that is cut off"};
  case NoteKind::invalidId:
    return {1, "entry with an id that no function can have",
            "entries with an id that no function can have"};
  case NoteKind::timeWentBack:
    return {1, "entry whose time goes back", "entries whose time goes back"};
  case NoteKind::fuelWentBack:
    return {1, "entry whose fuel goes back", "entries whose fuel goes back"};
  case NoteKind::skippedBytes:
    return {note.count, "byte that makes no sense", "bytes that make no sense"};
  case NoteKind::notClosed:
    return {1, "record that was not closed: its last events may be missing",
            "records that were not closed: their last events may be missing"};
  case NoteKind::unusableIndex:
    return {1, "index of blocks that does not fit its record: all was read",
            "indexes of blocks that do not fit their records: all was read"};
  }
  llvm_unreachable("every kind has words");
}

std::string warpo::describe(const RecordNote &note) {
  NoteWords words = wordsOf(note);
  std::string text = countOf(words.count, words.singular, words.plural);
  if (note.kind == NoteKind::timeWentBack || note.kind == NoteKind::fuelWentBack)
    text += ", by " + countOf(note.count, "count");
  return text;
}
