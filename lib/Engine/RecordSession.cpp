//===- RecordSession.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "RecordSession.h"
#include "warpo/Recorder/heap_stream.h"
#include "warpo/Sampling/TracedNames.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/SectionId.h"
#include "warpo/Wasm/CustomSectionReader.h"
#include "warpo/Wasm/ModuleIdentity.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace warpo;

static_assert(firstSectionId == WARPO_FIRST_SECTION_ID && trapId == WARPO_TRAP_ID &&
                  suspendedId == WARPO_SUSPENDED_ID && recordingId == WARPO_RECORDING_ID,
              "stacks and events agree");

Expected<std::unique_ptr<RecordSession>> RecordSession::open(const RecordTarget &target,
                                                             bool isPlain) {
  std::unique_ptr<RecordSession> session(new RecordSession(target, isPlain));
  if (!target.wanted())
    return session;
  warpo_recorder_options options = WARPO_RECORDER_OPTIONS_DEFAULT;
  if (const char *problem = warpo_recorder_read_environment(&options))
    return makeError(problem);
  if (target.isSampled && (options.policy == WARPO_POLICY_RING || options.crash_safe))
    return makeError("samples and heap events are neither kept in rings "
                     "(WARPO_RECORDER_POLICY=ring) nor crash-safe "
                     "(WARPO_RECORDER_CRASH_SAFE=1)");
  // Tools choose one of these two.
  session->hasNames_ = target.format != "warp";
  options.format = session->hasNames_ ? WARPO_FORMAT_WARPO : WARPO_FORMAT_WARP;
  options.file = target.file.empty() ? nullptr : target.file.c_str();
  options.fd = target.descriptor;
  options.max_items = target.maxItems.value_or(WARPO_NO_LIMIT);
  if (target.onlyFuel)
    options.clock = WARPO_CLOCK_FUEL;
  if (isPlain)
    options.clock = WARPO_CLOCK_MONOTONIC;
  session->clock_ = options.clock;
  options.fuel_costs = target.fuelCosts.empty() ? nullptr : target.fuelCosts.c_str();
  session->recorder_ = warpo_recorder_open(&options);
  if (!session->recorder_)
    return makeError("no memory for a recorder");
  if (warpo_recorder_error(session->recorder_))
    return makeError(warpo_recorder_error_text(session->recorder_));
  if (target.onSwitch && session->hasNames_)
    session->switch_ = std::make_unique<RecordSwitch>(session->recorder_, target.onSwitch);
  if (target.onFailure)
    session->watch_ = std::make_unique<RecordWatch>(session->recorder_, target.onFailure);
  return session;
}

Error RecordSession::describeModule(const ProgramUnit &unit, bool isAlone) {
  if (!recorder_ || !hasNames_)
    return Error::success();
  ArrayRef<uint8_t> bytes = unit.module.bytes;
  std::optional<wasm::ModuleIdentity> identity;
  ArrayRef<uint8_t> places;
  // Not every program is a module.
  if (!bytes.empty()) {
    auto read = wasm::readModuleIdentity(bytes, unit.path);
    if (!read)
      return read.takeError();
    identity = std::move(*read);
    // An uninstrumented module is itself the original.
    if (isPlain_ && !identity)
      identity = wasm::ModuleIdentity::ofOriginal(bytes);
    if (Error error = wasm::readCustomSections(
            bytes, unit.path, wasm::placesSection,
            [&](ByteCursor &cursor) { places = cursor.bytes(cursor.remaining()); }))
      return error;
  }
  // By id. The map reserves two values of its key type, and ids use all 32 bits.
  MapVector<int64_t, std::string> names;
  for (FunctionName &function : unit.functionNames())
    names[function.id] = std::move(function.name);
  if (target_.namesOf && !isPlain_)
    for (FunctionName &function : target_.namesOf(unit.id))
      names[function.id] = std::move(function.name);
  std::vector<warpo_function_name> functions;
  for (auto &[function, name] : names) {
    name = json::fixUTF8(name);
    functions.push_back({int32_t(function), name.c_str()});
  }
  std::string name = nameOf(unit);
  warpo_module_info info = {};
  info.id = unit.id;
  info.name = name.c_str();
  if (identity) {
    info.hash = identity->originalHash.data();
    info.build_id = identity->originalBuildId.data();
    info.build_id_size = identity->originalBuildId.size();
  }
  info.places = places.data();
  info.places_size = places.size();
  info.functions = functions.data();
  info.function_count = functions.size();
  if (int error = warpo_recorder_add_module(recorder_, &info))
    return fileError(unit.path, std::error_code(error, std::generic_category()));
  // Searching for marks takes a while, and only matters for the ids of other modules.
  if (!isAlone && hasMarkedIds(bytes))
    (void)warpo_recorder_expect_marks(recorder_, unit.id);
  return Error::success();
}

std::string RecordSession::nameOf(const ProgramUnit &unit) {
  std::string name = json::fixUTF8(nameOfModule(unit.module.bytes));
  return name.empty() ? sys::path::stem(unit.path).str() : name;
}

void RecordSession::nameFunction(const ProgramUnit &unit, int32_t id, StringRef name) {
  std::string text = json::fixUTF8(name);
  const warpo_function_name function = {id, text.c_str()};
  warpo_module_info info = {};
  info.id = unit.id;
  info.functions = &function;
  info.function_count = 1;
  // If there is no memory or room for its name, the function has a number in the record.
  (void)warpo_recorder_add_module(recorder_, &info);
}

Expected<warpo_sample_stream *> RecordSession::openSampleStream(uint64_t module,
                                                                const SamplingRequest &sampling) {
  return checkStream(
      sampling.everyFuel
          ? warpo_sample_stream_open(recorder_, module, WARPO_SAMPLED_BY_FUEL, *sampling.everyFuel)
          : warpo_sample_stream_open(recorder_, module, WARPO_SAMPLED_BY_TIME,
                                     sampling.periodNanoseconds()));
}

Expected<warpo_sample_stream *> RecordSession::openHeapStream(uint64_t module) {
  return checkStream(warpo_heap_stream_open(recorder_, module));
}

Expected<warpo_sample_stream *> RecordSession::checkStream(warpo_sample_stream *stream) {
  if (recorder_ && warpo_recorder_error(recorder_)) {
    warpo_sample_stream_close(stream);
    return makeError(warpo_recorder_error_text(recorder_));
  }
  return stream;
}

void RecordSession::followSwitch(uint64_t *recording, std::function<void()> beforeOn) {
  if (switch_)
    switch_->follow(recording, std::move(beforeOn));
  else if (recorder_ && !warpo_recorder_is_enabled(recorder_))
    *recording = 1;
}

int32_t RecordSession::beginSection(uint64_t module, warpo_event_stream *stream,
                                    std::optional<ArrayRef<uint8_t>> name, uint64_t fuel) {
  // The address of an empty range may be null.
  StringRef text = name && !name->empty() ? toStringRef(*name) : "";
  const char *begin = name ? text.data() : nullptr;
  return stream ? warpo_section_begin(stream, begin, text.size(), fuel)
                : warpo_section_id(recorder_, module, begin, text.size());
}

static uint64_t countOf(const PhaseLog::Moment &moment, warpo_recorder_clock clock) {
  switch (clock) {
  case WARPO_CLOCK_COUNTER:
    return moment.counter;
  case WARPO_CLOCK_MONOTONIC:
    return moment.nanoseconds;
  case WARPO_CLOCK_FUEL:
    return 0;
  }
  llvm_unreachable("a clock is one of these");
}

void RecordSession::addPhases(const PhaseLog &log) {
  std::vector<warpo_phase> phases;
  for (const PhaseLog::Phase &phase : log.phases())
    if (!target_.onlyFuel || StringRef(phase.name) != PhaseLog::compile)
      phases.push_back({phase.name, countOf(phase.begin, clock_), countOf(phase.end, clock_),
                        phase.unit, phase.ticks});
  // If there is no memory or room for phases, they are left out; the rest of the record is valid.
  (void)warpo_recorder_add_phases(recorder_, phases.data(), phases.size());
}

void warpo::describeRecord(const warpo_recorder_counts &counts,
                           const warpo_section_counts &sections, StringRef error,
                           RunResult &result) {
  result.recorded = counts.written;
  result.lostToLimit = counts.lost_to_limit;
  result.lostToFailure = counts.lost_to_failure;
  result.lostToBuffer = counts.lost_to_buffer;
  result.meaningless = counts.meaningless;
  result.recordError = error.str();
  result.sections.endsWithoutBegin += sections.ends_without_begin;
  result.sections.neverEnded += sections.never_ended;
  result.sections.notUtf8 = sections.not_utf8;
  result.sections.tooLong = sections.too_long;
  result.sections.outOfBounds = sections.out_of_bounds;
  result.sections.tooMany = sections.too_many;
}

void RecordSession::finish(RunResult &result) {
  if (!recorder_)
    return;
  switch_.reset();
  watch_.reset();
  warpo_recorder_close(recorder_);
  describeRecord(warpo_recorder_get_counts(recorder_), warpo_recorder_get_section_counts(recorder_),
                 warpo_recorder_error_text(recorder_), result);
  if (warpo_clock_rate rate = warpo_recorder_get_rate(recorder_); !hasNames_ && rate.counts != 0)
    result.rate = double(rate.nanoseconds) / double(rate.counts);
}
