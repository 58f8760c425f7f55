//===- RecordBatch.cpp ----------------------------------------------------===//

#include "warpo/Record/RecordBatch.h"
#include "warpo/Support/Errors.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using namespace warpo;

NoteWords warpo::wordsOf(const RecordNote &note) {
  switch (note.kind) {
  case NoteKind::lost:
    if (note.count == 0)
      return {1, "gap of unknown length", "gaps of unknown length"};
    return {note.count, "event that was lost when recording",
            "events that were lost when recording"};
  case NoteKind::truncatedEntry:
    return {note.count, "byte of an entry that is cut off", "bytes of an entry that is cut off"};
  case NoteKind::invalidId:
    return {1, "entry with an id that no function can have",
            "entries with an id that no function can have"};
  case NoteKind::timeWentBack:
    return {1, "entry whose time goes back", "entries whose time goes back"};
  }
  llvm_unreachable("every kind has words");
}

std::string warpo::describe(const RecordNote &note) {
  NoteWords words = wordsOf(note);
  std::string text = countOf(words.count, words.singular, words.plural);
  if (note.kind == NoteKind::timeWentBack)
    text += ", by " + countOf(note.count, "count");
  return text;
}
