//===- WarpoWriter.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "SideBlocks.h"
#include "warpo/Record/FunctionTable.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/NumberedName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/LEB128.h"
#include <map>

using namespace llvm;
using namespace warpo;

static warpo_text textOf(StringRef text) { return warpo_text_of(text.data(), text.size()); }

// A block is lost as a whole, so small ones are better; each stream holds one, so many streams get
// smaller ones.
static size_t blockSizeFor(size_t streams) {
  return streams <= 64 ? warpo_events_block_size : streams <= 1024 ? 1 << 14 : 1 << 12;
}

static_assert(unsigned(LossCause::unknown) == warpo_loss_unknown &&
              unsigned(LossCause::bufferFull) == warpo_loss_buffer_full &&
              unsigned(LossCause::limit) == warpo_loss_limit &&
              unsigned(LossCause::writeFailed) == warpo_loss_write_failed &&
              unsigned(LossCause::processEnded) == warpo_loss_process_ended);

static_assert(unsigned(RecordedSwitch::Kind::starts) == warpo_switch_starts &&
              unsigned(RecordedSwitch::Kind::resumes) == warpo_switch_resumes &&
              unsigned(RecordedSwitch::Kind::returns) == warpo_switch_returns);

static_assert(maxColumns <= unsigned(warpo_max_columns));

WarpoWriter::WarpoWriter(raw_ostream &os, const RecordWriterContext &context)
    : os_(os), context_(context) {}

void WarpoWriter::writeSignature(uint8_t version) {
  static_assert(warpo_version_plain == WARPO_SIGNATURE[warpo_version_offset] &&
                warpo_version_stacks == WARPO_STACK_SIGNATURE[warpo_version_offset]);
  const char *signature = version == warpo_version_plain ? WARPO_SIGNATURE : WARPO_STACK_SIGNATURE;
  writeBytes(arrayRefFromStringRef(StringRef(signature, warpo_signature_size)));
  version_ = version;
}

void WarpoWriter::begin() {
  if (version_ != 0)
    return;
  bool hasWindows = any_of(context_.header.streams,
                           [](const StreamInfo &stream) { return !stream.windows.empty(); });
  writeSignature(hasWindows ? warpo_version_stacks : warpo_version_plain);
  writeClock(warpo_clock_time);
  if (uint64_t step = context_.probe.step)
    writeBlock([&](warpo_block *block) { warpo_begin_steps(block, warpo_clock_time, step); });
}

void WarpoWriter::writeClock(uint64_t number) {
  const RecordHeader &header = context_.header;
  warpo_clock_fields clock{};
  clock.number = number;
  const Measure &measure = header.measures[number];
  if (number == warpo_clock_time) {
    if (context_.scale && measure.isTime()) {
      clock.nanoseconds = context_.scale->nanoseconds();
      clock.counts = context_.scale->counts();
    }
    clock.origin = header.origin;
    clock.wall = header.wallClock;
    clock.begin = context_.probe.begin;
    clock.end = context_.probe.end;
  }
  writeBlock(
      [&](warpo_block *block) { warpo_begin_clock(block, &clock, textOf(measure.clock())); });
}

WarpoWriter::~WarpoWriter() {
  for (Stream &stream : streams_)
    warpo_encoder_free(&stream.encoder);
}

bool WarpoWriter::writeBlock(function_ref<void(warpo_block *)> put) {
  warpo_block block = warpo_block_in(block_.data(), block_.size());
  put(&block);
  if (!warpo_block_fits(&block)) {
    block_.resize(block.size);
    block = warpo_block_in(block_.data(), block_.size());
    put(&block);
  }
  size_t size = warpo_finish_block(&block);
  isTooLarge_ |= size == 0;
  writeBytes(ArrayRef(block_).take_front(size));
  return size != 0;
}

void WarpoWriter::writeBytes(ArrayRef<uint8_t> bytes) {
  os_ << toStringRef(bytes);
  offset_ += bytes.size();
}

/// Includes the hash of the code for a function without a name.
static std::string recordedName(const Function &function) {
  auto numbered = NumberedName::parse(function.name);
  if (!numbered)
    return function.name.str();
  numbered->bodyHash = function.bodyHash;
  return numbered->text();
}

void WarpoWriter::writeFunctions(uint64_t number, uint64_t moduleId,
                                 ArrayRef<const Function *> functions) {
  std::string name = context_.functions.mappedModuleName(moduleId).str();
  warpo_module_fields module{number, moduleId, {}, {}, {}};
  for (const RecordedModule &recorded : context_.header.modules)
    if (recorded.id == moduleId) {
      module.hash = textOf(recorded.hash);
      module.build = textOf(recorded.buildId);
      // Without functions, the table does not know it.
      if (name.empty())
        name = recorded.name;
    }
  module.name = textOf(name);
  ArrayRef<const Function *> rest = functions;
  do {
    size_t count = 0;
    for (size_t size = warpo_block_header_size;
         count < rest.size() && size < warpo_names_block_size; ++count) {
      size_t nameSize = recordedName(*rest[count]).size();
      size += getULEB128Size(uint64_t(rest[count]->id)) + getULEB128Size(nameSize) + nameSize;
    }
    writeBlock([&](warpo_block *block) {
      warpo_begin_module(block, &module, count);
      for (const Function *function : rest.take_front(count)) {
        std::string name = recordedName(*function);
        warpo_add_function(block, function->id, textOf(name));
      }
    });
    rest = rest.drop_front(count);
  } while (!rest.empty());
}

std::vector<std::pair<uint64_t, uint64_t>> WarpoWriter::modulesByNumber() const {
  std::vector<std::pair<uint64_t, uint64_t>> modules(modules_.begin(), modules_.end());
  llvm::sort(modules, less_second());
  return modules;
}

void WarpoWriter::writeLateFunctions() {
  std::map<uint64_t, std::vector<const Function *>> late;
  const size_t end = context_.functions.size();
  for (; functions_ < end; ++functions_) {
    const Function &function = context_.functions[FunctionIndex(functions_)];
    bool isNamed = context_.functions.hasMapping() && function.known && function.id > 0;
    if (isNamed && !isReserved(function.id) && function.direct == functions_)
      late[context_.functions.moduleIdOf(function)].push_back(&function);
  }
  for (const auto &[functionsModule, functions] : late) {
    // If a mapping does not distinguish modules, sections belong to no module.
    bool isOfAll =
        none_of(context_.header.modules, [&, id = functionsModule](const RecordedModule &module) {
          return module.id == id;
        });
    for (const auto &[moduleId, number] : modulesByNumber())
      if (isOfAll || moduleId == functionsModule)
        writeFunctions(number, moduleId, functions);
  }
}

/// The source locations of a module's functions from a mapping.
static SourcePlaces placesOf(ArrayRef<const Function *> functions) {
  SourcePlaces places;
  std::map<StringRef, uint32_t> numbers;
  auto numberOf = [&](StringRef text) {
    auto [entry, isNew] = numbers.try_emplace(text, places.texts.size());
    if (isNew)
      places.texts.push_back(text.str());
    return entry->second;
  };
  std::vector<const Function *> known;
  copy_if(functions, std::back_inserter(known), [](const Function *function) {
    return function->id >= firstFunctionId &&
           (!function->file.empty() || !function->inlined.empty());
  });
  llvm::sort(known, [](const Function *a, const Function *b) { return a->id < b->id; });
  for (const Function *function : known) {
    places.functions.push_back({function->id, function->file.empty() ? 0 : numberOf(function->file),
                                function->line, uint32_t(places.inlined.size()),
                                uint32_t(function->inlined.size())});
    for (StringRef name : function->inlined)
      places.inlined.push_back(numberOf(name));
  }
  return places;
}

/// Writes the locations if they are known and not written yet.
void WarpoWriter::writePlaces(uint64_t number, uint64_t moduleId) {
  if (havePlaces_.count(number) > 0)
    return;
  std::shared_ptr<const SourcePlaces> places;
  for (const RecordedModule &recorded : context_.header.modules)
    if (recorded.id == moduleId && recorded.places)
      places = recorded.places;
  // Otherwise a mapping may have them.
  if (!places && context_.functions.hasPlaces())
    places =
        std::make_shared<const SourcePlaces>(placesOf(context_.functions.functionsOf(moduleId)));
  if (!places || (places->functions.empty() && places->contents.empty()))
    return;
  havePlaces_.insert(number);
  std::string made = places->contents.empty() ? warpo::writePlaces(*places) : "";
  StringRef contents = made.empty() ? StringRef(places->contents) : StringRef(made);
  if (contents.empty()) {
    ++placesLeftOut_;
    return;
  }
  writeBlock([&](warpo_block *block) { warpo_put_places(block, number, textOf(contents)); });
}

void WarpoWriter::writeLinked() {
  linked_.forEachNew(context_.header.modules, [&](uint64_t moduleId, ArrayRef<int32_t> functions) {
    uint64_t number = declareModule(moduleId);
    writeBlock([&](warpo_block *block) {
      warpo_begin_linked(block, number);
      for (int32_t function : functions)
        warpo_add_linked(block, function);
    });
  });
}

uint64_t WarpoWriter::declareModule(uint64_t moduleId) {
  auto [entry, isNew] = modules_.try_emplace(moduleId, modules_.size());
  if (isNew) {
    writeFunctions(entry->second, moduleId, context_.functions.functionsOf(moduleId));
    writePlaces(entry->second, moduleId);
  }
  return entry->second;
}

Error WarpoWriter::openStream(StreamIndex index) {
  if (index >= streams_.size())
    streams_.resize(index + 1);
  Stream &stream = streams_[index];
  bool isNew = !stream.isOpen;
  if (isNew || stream.windows < context_.header.streams[index].windows.declared().size())
    declareStream(index);
  if (!isNew)
    return Error::success();
  if (!warpo_encoder_init(&stream.encoder, index, blockSizeFor(context_.header.streams.size())))
    return makeError("no memory for the streams of the record");
  stream.isOpen = true;
  return Error::success();
}

/// Includes windows added since the last call.
void WarpoWriter::declareStream(StreamIndex index) {
  const StreamInfo &info = context_.header.streams[index];
  uint64_t module = declareModule(info.moduleId);
  ArrayRef<ModuleWindow> added = info.windows.declared().drop_front(streams_[index].windows);
  std::vector<warpo_window> windows;
  for (const ModuleWindow &window : added)
    windows.push_back({declareModule(window.moduleId), window.id, window.first, window.count});
  declareColumns();
  if (!windows.empty() && version_ < warpo_version_stacks)
    writeSignature(warpo_version_stacks);
  warpo_stream_fields fields{index, module, info.thread};
  writeBlock([&](warpo_block *block) {
    warpo_begin_stream(block, &fields, textOf(info.name));
    if (!windows.empty())
      warpo_begin_windows(block);
    for (const warpo_window &window : windows)
      warpo_add_window(block, &window);
  });
  streams_[index].windows += windows.size();
}

void WarpoWriter::finishBlock(StreamIndex index) {
  warpo_event_encoder &encoder = streams_[index].encoder;
  if (!encoder.next)
    return;
  index_.push_back({offset_, index, encoder.first_time, encoder.last_time});
  writeEntries({encoder.block, warpo_encoder_finish(&encoder)}, warpo_block_events);
}

void WarpoWriter::writeEntries(ArrayRef<uint8_t> block, uint8_t kind) {
  if (!context_.compress) {
    writeBytes(block);
    return;
  }
  SmallVector<uint8_t, 0> frame;
  compression::zstd::compress(block.drop_front(warpo_block_header_size), frame,
                              compression::zstd::BestSpeedCompression);
  frame.insert(frame.begin(), warpo_block_header_size, 0);
  warpo_frame_block(frame.data(), warpo_block_kind(kind), warpo_block_is_compressed,
                    frame.size() - warpo_block_header_size);
  writeBytes(frame);
}

void WarpoWriter::ensureBlock(StreamIndex index, uint64_t time) {
  warpo_event_encoder &encoder = streams_[index].encoder;
  if (encoder.next && warpo_encoder_is_full(&encoder))
    finishBlock(index);
  if (!encoder.next)
    warpo_encoder_begin(&encoder, time);
}

void WarpoWriter::writeNote(StreamIndex index, const RecordNote &note, uint64_t time) {
  warpo_event_encoder &encoder = streams_[index].encoder;
  if (note.kind == NoteKind::lostSomewhere) {
    lost_ += note.count;
  } else if (note.kind == NoteKind::timeWentBack) {
    ensureBlock(index, time);
    warpo_encode_back(&encoder, note.count);
  } else if (note.kind == NoteKind::countWentBack &&
             note.column < context_.header.columns().size()) {
    uint32_t place = addColumn(index, note.column);
    ensureBlock(index, time);
    warpo_encode_column_back(&encoder, place, note.count);
  } else if (note.kind == NoteKind::lost) {
    ensureBlock(index, time);
    warpo_encode_lost(&encoder, std::max(time, encoder.last_time), note.count,
                      warpo_loss_cause(note.cause));
    lost_ += note.count;
  }
}

uint32_t WarpoWriter::addColumn(StreamIndex index, ColumnIndex column) {
  Stream &stream = streams_[index];
  const auto *known = find(stream.columns, column);
  if (known != stream.columns.end())
    return uint32_t(known - stream.columns.begin());
  finishBlock(index);
  stream.columns.insert(column);
  warpo_encoder_add_column(&stream.encoder, clockOf(column));
  declareColumns();
  return stream.encoder.columns - 1;
}

void WarpoWriter::declareColumns() {
  while (declaredColumns_ < context_.header.columns().size())
    writeClock(clockOf(declaredColumns_++));
}

/// Writes known offsets; the first of `stacks` has the number stacks_.
void WarpoWriter::writeOffsets(ArrayRef<RecordedStack> stacks) {
  auto isUnknown = [](const RecordedStack &stack) { return stack.offset == 0; };
  ArrayRef<RecordedStack> known = stacks.drop_while(isUnknown);
  while (!known.empty() && isUnknown(known.back()))
    known = known.drop_back();
  if (known.empty())
    return;
  writeBlock([&](warpo_block *block) {
    warpo_begin_offsets(block, stacks_ + size_t(known.begin() - stacks.begin()));
    for (const RecordedStack &stack : known)
      warpo_add_offset(block, stack.offset, /*is_original=*/true);
  });
}

void WarpoWriter::writeStacks() {
  const std::vector<RecordedStack> &stacks = context_.header.stacks;
  while (stacks_ < stacks.size()) {
    // A module's block must precede the block of stacks that refer to it.
    size_t last = stacks_;
    for (size_t size = 0; last < stacks.size() && size < warpo_names_block_size; ++last) {
      if (stacks[last].id != 0)
        declareModule(stacks[last].moduleId);
      size += stacks[last].text.size() + 1;
    }
    ArrayRef<RecordedStack> added = ArrayRef(stacks).slice(stacks_, last - stacks_);
    writeOffsets(added);
    writeBlock([&](warpo_block *block) {
      warpo_begin_stacks(block, stacks_);
      for (const RecordedStack &stack : added)
        if (stack.id != 0)
          warpo_add_stack(block, stack.parent, declareModule(stack.moduleId), stack.id);
        else
          warpo_add_text_stack(block, stack.parent, textOf(stack.text));
    });
    stacks_ = last;
  }
}

Error WarpoWriter::writeSwitches() {
  ArrayRef<RecordedSwitch> added = ArrayRef(context_.header.switches).drop_front(switches_);
  if (added.empty())
    return Error::success();
  writeStacks();
  switches_ += added.size();
  constexpr size_t mostInBlock = size_t(warpo_switches_block_size) / size_t(warpo_max_switch_size);
  while (!added.empty()) {
    ArrayRef<RecordedSwitch> together = added.take_front(mostInBlock);
    added = added.drop_front(together.size());
    uint64_t base = UINT64_MAX;
    for (const RecordedSwitch &change : together) {
      base = std::min({base, change.time, change.at});
      for (StreamIndex stream : {change.stream, change.from})
        if (Error error = openStream(stream))
          return error;
    }
    writeBlock([&](warpo_block *block) {
      warpo_begin_switches(block, base);
      for (const RecordedSwitch &change : together) {
        warpo_switch_fields fields{warpo_switch_kind(change.kind),
                                   change.stream,
                                   change.time - base,
                                   change.from,
                                   change.at - base,
                                   change.stack};
        warpo_add_switch(block, &fields);
      }
    });
  }
  return Error::success();
}

Error WarpoWriter::write(const RecordBatch &batch) {
  begin();
  writeLateFunctions();
  writeLinked();
  if (Error error = writeSwitches())
    return error;
  if (Error error = openStream(batch.stream))
    return error;
  auto writeSides = [&](const char *, const char *, auto entries) {
    if (!entries.empty())
      writeSideBlocks(*this, batch.stream, entries);
  };
  forEachSideKind(writeSides, batch.beside);
  for (const CountColumns::Column &column : batch.counts)
    addColumn(batch.stream, column.index);
  warpo_event_encoder &encoder = streams_[batch.stream].encoder;
  // Null for a column that the batch lacks: it is unchanged.
  std::array<const uint64_t *, maxColumns> values;
  for (const auto &[place, column] : enumerate(streams_[batch.stream].columns))
    values[place] = batch.counts[column].data();
  size_t next = 0;
  auto writeUpTo = [&](size_t end) {
    while (next < end) {
      ensureBlock(batch.stream, batch.times[next]);
      if (encoder.columns == 0)
        for (; next < end && !warpo_encoder_is_full(&encoder); ++next)
          warpo_encode_event(&encoder, batch.times[next], batch.ids[next]);
      std::array<uint64_t, maxColumns> counts;
      auto encode = [&](uint32_t columns) {
        for (uint32_t place = 0; place < columns; ++place)
          counts[place] = values[place] ? values[place][next] : encoder.column[place].last;
        warpo_encode_measured_event(&encoder, batch.times[next], batch.ids[next], counts.data(),
                                    columns);
      };
      if (encoder.columns == 1)
        for (; next < end && !warpo_encoder_is_full(&encoder); ++next)
          encode(1);
      for (; next < end && !warpo_encoder_is_full(&encoder); ++next)
        encode(encoder.columns);
    }
  };
  for (const RecordNote &note : batch.notes) {
    writeUpTo(note.position);
    // A loss lasts until the next entry, which is unknown at the end of a batch. Entries may be
    // before the origin.
    uint64_t time = next > 0                 ? batch.times[next - 1]
                    : encoder.last_time != 0 ? encoder.last_time
                    : !batch.times.empty()   ? batch.times.front()
                                             : 0;
    writeNote(batch.stream, note, time);
  }
  writeUpTo(batch.size());
  events_ += batch.size() + batch.beside.size();
  return Error::success();
}

/// A block for each run.
void WarpoWriter::writePhases() {
  ArrayRef<RecordedPhase> phases = context_.header.phases;
  while (!phases.empty()) {
    StringRef run = phases.front().run;
    ArrayRef<RecordedPhase> ofRun =
        phases.take_while([&](const RecordedPhase &phase) { return phase.run == run; });
    phases = phases.drop_front(ofRun.size());
    writeBlock([&](warpo_block *block) {
      warpo_begin_phases(block, ofRun.size());
      for (const RecordedPhase &phase : ofRun) {
        warpo_phase_fields fields{textOf(phase.name), phase.begin, phase.end, textOf(phase.unit),
                                  phase.ticks};
        warpo_add_phase(block, &fields);
      }
      if (!run.empty())
        warpo_add_run(block, textOf(run));
    });
  }
}

Error WarpoWriter::finish() {
  begin();
  for (StreamIndex index = 0; index < streams_.size(); ++index)
    finishBlock(index);
  writeLateFunctions();
  writeLinked();
  if (Error error = writeSwitches())
    return error;
  writePhases();
  // Locations that were declared late.
  for (auto [moduleId, number] : modulesByNumber())
    writePlaces(number, moduleId);
  if (isTooLarge_)
    return makeError("a name is too long for the format");
  // A record that is too large for an index only lacks the index.
  uint64_t index = offset_;
  if (!writeBlock(
          [&](warpo_block *block) { warpo_begin_index(block, index_.data(), index_.size()); }))
    index = 0;
  writeBlock([&](warpo_block *block) { warpo_begin_end(block, index, events_, lost_); });
  return Error::success();
}

std::vector<std::string> WarpoWriter::omissions() const {
  std::vector<std::string> result;
  if (placesLeftOut_ > 0)
    result.push_back("the places of " + countOf(placesLeftOut_, "module") +
                     ", which are too many for a block");
  return result;
}
