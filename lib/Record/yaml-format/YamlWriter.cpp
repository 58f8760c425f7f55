//===- YamlWriter.cpp - Writes the form that YamlFormat.cpp describes -----===//
// SPDX-License-Identifier: Apache-2.0

#include "YamlRecord.h"
#include "YamlSides.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace warpo;

static std::string clocksOf(const RecordHeader &header) {
  std::string names;
  for (const Measure &measure : header.measures)
    names += (names.empty() ? "" : ", ") + measure.clock().str();
  return names;
}

static json::Value quoted(StringRef text) { return json::fixUTF8(text); }

static std::string quotedIfSpecial(const std::string &text) {
  bool isPlain = StringRef(text).find_if(
                     [](char c) { return !isAlnum(c) && c != ',' && c != ' '; }) == StringRef::npos;
  std::string json;
  raw_string_ostream(json) << quoted(text);
  return isPlain ? text : json;
}

YamlWriter::YamlWriter(raw_ostream &os, const RecordWriterContext &context)
    : os_(os), header_(context.header), columns_(context.header) {
  os_ << yamlVersionKey << ": 1\n";
  if (context.scale)
    os_ << "rate: " << context.scale->toString() << '\n';
  if (header_.clockBits != 64)
    os_ << "clock-bits: " << header_.clockBits << '\n';
  if (!header_.columns().empty() || !header_.hasTime())
    os_ << "clocks: " << quotedIfSpecial(clocksOf(header_)) << '\n';
}

std::vector<std::string> YamlWriter::omissions() const {
  std::string late = columns_.words();
  return late.empty() ? std::vector<std::string>() : std::vector<std::string>{late};
}

Error YamlWriter::finish() {
  bool isEmpty =
      header_.phases.empty() && header_.switches.empty() &&
      none_of(header_.modules, [](const RecordedModule &module) {
        return !module.linked.empty() || (module.places && !module.places->functions.empty());
      });
  if (!current_)
    os_ << (isEmpty ? "entries: []\n" : "entries:\n");
  // Declarations that came late.
  writePlaces();
  writeLinked();
  writeSwitches();
  for (const RecordedPhase &phase : header_.phases)
    writePhase(phase);
  return Error::success();
}

void YamlWriter::writePlaces() {
  for (const RecordedModule &module : header_.modules) {
    if (!module.places || !havePlaces_.insert(module.id).second)
      continue;
    const SourcePlaces &places = *module.places;
    for (const SourcePlaces::Function &function : places.functions) {
      os_ << "  - place: [" << module.id << ", " << function.id << ", "
          << quoted(places.texts[function.file]) << ", " << function.line;
      for (uint32_t name : places.inlinedInto(function))
        os_ << ", " << quoted(places.texts[name]);
      os_ << "]\n";
    }
  }
}

void YamlWriter::writeStream(StreamIndex stream) {
  if (!current_)
    os_ << "entries:\n";
  current_ = stream;
  writePlaces();
  const StreamInfo &info = header_.streams[stream];
  if (info.name.empty())
    os_ << "  - module: " << info.moduleId << '\n';
  else
    os_ << "  - {module: " << info.moduleId << ", name: " << quoted(info.name) << "}\n";
}

void YamlWriter::writeLinked() {
  linked_.forEachNew(header_.modules, [&](uint64_t moduleId, ArrayRef<int32_t> functions) {
    os_ << "  - linked: [" << moduleId;
    for (int32_t function : functions)
      os_ << ", " << function;
    os_ << "]\n";
  });
}

void YamlWriter::writeWindows(StreamIndex stream) {
  const StackWindows &windows = header_.streams[stream].windows;
  if (windows.empty())
    return;
  size_t &written = windows_[stream];
  for (const ModuleWindow &window : windows.declared().drop_front(written))
    os_ << "  - window: [" << window.moduleId << ", " << window.id << ", " << window.first << ", "
        << window.count << "]\n";
  written = windows.declared().size();
}

/// Removes from `notes`, and writes, those before the entry at `position`.
void YamlWriter::writeLosses(ArrayRef<RecordNote> &notes, size_t position) {
  for (const RecordNote &note : takeUpTo(notes, position))
    if (note.kind == NoteKind::lost)
      os_ << "  - lost: " << note.count << '\n';
}

void YamlWriter::writeFrames(uint32_t stack,
                             function_ref<void(const RecordedStack &)> writeFunction) {
  SmallVector<const RecordedStack *> frames;
  for (; stack != 0; stack = header_.stacks[stack].parent)
    frames.push_back(&header_.stacks[stack]);
  for (const RecordedStack *frame : reverse(frames)) {
    os_ << ", ";
    if (frame->id != 0)
      writeFunction(*frame);
    else
      os_ << quoted(frame->text);
  }
}

void YamlWriter::writeHeapInterval(StreamIndex stream) {
  uint64_t interval = header_.streams[stream].heapInterval;
  if (std::exchange(heapIntervals_[stream], interval) != interval)
    os_ << "  - heap-interval: " << interval << '\n';
}

void YamlWriter::writeModuleFrames(uint32_t stack) {
  writeFrames(stack, [&](const RecordedStack &frame) {
    os_ << '[' << frame.moduleId << ", " << frame.id << ']';
  });
}

void YamlWriter::writeSwitches() {
  for (const RecordedSwitch &change : ArrayRef(header_.switches).drop_front(switches_)) {
    if (current_ != change.stream)
      writeStream(change.stream);
    os_ << "  - switch: [" << switchKindNames[unsigned(change.kind)] << ", "
        << int64_t(change.time - header_.origin);
    if (change.from != change.stream || change.stack != 0) {
      const StreamInfo &from = header_.streams[change.from];
      os_ << ", " << from.moduleId << ", " << quoted(from.name) << ", "
          << int64_t(change.at - header_.origin);
      writeModuleFrames(change.stack);
    }
    os_ << "]\n";
  }
  switches_ = header_.switches.size();
}

void YamlWriter::writePhase(const RecordedPhase &phase) {
  uint64_t zero = header_.hasTime() ? header_.origin : 0;
  os_ << "  - phase: [" << int64_t(phase.begin - zero) << ", " << int64_t(phase.end - zero) << ", "
      << quoted(phase.name);
  if (!phase.unit.empty() || !phase.run.empty())
    os_ << ", " << phase.ticks << ", " << quoted(phase.unit);
  if (!phase.run.empty())
    os_ << ", " << quoted(phase.run);
  os_ << "]\n";
}

Error YamlWriter::write(const RecordBatch &batch) {
  writeSwitches();
  if (current_ != batch.stream)
    writeStream(batch.stream);
  writeWindows(batch.stream);
  writeLinked();
  Counts &last = lastCounts_[batch.stream];
  ColumnIndex columns =
      batch.counts.empty()
          ? 0
          : std::min<ColumnIndex>(std::prev(batch.counts.end())->index + 1, columns_.known());
  columns_.add(batch.counts, batch.size());
  ArrayRef<RecordNote> notes = batch.notes;
  auto writeSides = [&](const char *, const char *, auto entries) {
    if (!entries.empty())
      writeYamlEntries(*this, batch.stream, entries);
  };
  forEachSideKind(writeSides, batch.beside);
  for (size_t i = 0; i < batch.size(); ++i) {
    writeLosses(notes, i);
    os_ << "  - [" << int64_t(batch.times[i] - header_.origin) << ", " << batch.ids[i];
    // A missing column is unchanged.
    batch.counts.update(last, i);
    for (ColumnIndex column = 0; column < columns; ++column)
      os_ << ", " << last[column];
    os_ << "]\n";
  }
  writeLosses(notes, batch.size());
  return Error::success();
}

std::unique_ptr<RecordWriter> warpo::createYamlWriter(raw_ostream &os,
                                                      const RecordWriterContext &context) {
  return std::make_unique<YamlWriter>(os, context);
}
