//===- RecordSession.cpp --------------------------------------------------===//

#include "RecordSession.h"
#include "warpo/Sampling/TracedNames.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/SectionId.h"
#include "warpo/Wasm/ModuleIdentity.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <thread>

using namespace llvm;
using namespace warpo;

static_assert(firstSectionId == WARPO_FIRST_SECTION_ID, "stacks and events agree");

Expected<std::unique_ptr<RecordSession>> RecordSession::open(const RecordTarget &target) {
  std::unique_ptr<RecordSession> session(new RecordSession(target));
  if (!target.wanted())
    return session;
  warpo_recorder_options options = WARPO_RECORDER_OPTIONS_DEFAULT;
  if (const char *problem = warpo_recorder_read_environment(&options))
    return makeError(problem);
  if (target.isSampled && (options.policy == WARPO_POLICY_RING || options.crash_safe))
    return makeError(
        "samples are neither kept in rings (WARPO_RECORDER_POLICY=ring) nor crash-safe "
        "(WARPO_RECORDER_CRASH_SAFE=1)");
  // Tools choose between these two, and say so.
  options.format = target.format == "warpo" ? WARPO_FORMAT_WARPO : WARPO_FORMAT_WARP;
  options.file = target.file.empty() ? nullptr : target.file.c_str();
  options.fd = target.descriptor;
  options.max_items = target.maxItems.value_or(WARPO_NO_LIMIT);
  if (target.onlyFuel)
    options.clock = WARPO_CLOCK_FUEL;
  session->clock_ = options.clock;
  options.fuel_costs = target.fuelCosts.empty() ? nullptr : target.fuelCosts.c_str();
  session->recorder_ = warpo_recorder_open(&options);
  if (!session->recorder_)
    return makeError("no memory for a recorder");
  if (warpo_recorder_error(session->recorder_))
    return makeError(warpo_recorder_error_text(session->recorder_));
  return session;
}

Error RecordSession::describeModule(uint64_t id, ArrayRef<uint8_t> bytes, StringRef path) {
  if (!recorder_ || target_.format == "warp")
    return Error::success();
  auto identity = wasm::readModuleIdentity(bytes, path);
  if (!identity)
    return identity.takeError();
  std::vector<FunctionName> names;
  if (target_.namesOf)
    names = target_.namesOf(id);
  if (names.empty())
    names = tracedNames(bytes);
  std::vector<warpo_function_name> functions;
  for (const FunctionName &function : names)
    functions.push_back({function.id, function.name.c_str()});
  std::string name = nameOfModule(bytes);
  if (name.empty())
    name = sys::path::stem(path).str();
  warpo_module_info info = {};
  info.id = id;
  info.name = name.c_str();
  if (*identity) {
    info.hash = (*identity)->originalHash.data();
    info.build_id = (*identity)->originalBuildId.data();
    info.build_id_size = (*identity)->originalBuildId.size();
  }
  info.functions = functions.data();
  info.function_count = functions.size();
  if (int error = warpo_recorder_add_module(recorder_, &info))
    return fileError(path, std::error_code(error, std::generic_category()));
  return Error::success();
}

Expected<warpo_sample_stream *> RecordSession::openSampleStream(uint64_t module,
                                                                const SamplingRequest &sampling) {
  warpo_sample_stream *stream =
      sampling.everyFuel
          ? warpo_sample_stream_open(recorder_, module, WARPO_SAMPLED_BY_FUEL, *sampling.everyFuel)
          : warpo_sample_stream_open(recorder_, module, WARPO_SAMPLED_BY_TIME,
                                     sampling.periodNanoseconds());
  if (recorder_ && warpo_recorder_error(recorder_)) {
    warpo_sample_stream_close(stream);
    return makeError(warpo_recorder_error_text(recorder_));
  }
  return stream;
}

int32_t RecordSession::beginSection(uint64_t module, warpo_event_stream *stream,
                                    std::optional<ArrayRef<uint8_t>> name, uint64_t fuel) {
  // An empty range may begin nowhere.
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
    phases.push_back({phase.name, countOf(phase.begin, clock_), countOf(phase.end, clock_),
                      phase.unit, phase.ticks});
  // What there is no memory for does not matter to the rest.
  (void)warpo_recorder_add_phases(recorder_, phases.data(), phases.size());
}

RecordSession::ClockPair RecordSession::ClockPair::now() {
  return {warpo_clock(), std::chrono::steady_clock::now()};
}

void RecordSession::finish(RunResult &result) {
  if (!recorder_)
    return;
  warpo_recorder_close(recorder_);
  warpo_recorder_counts counts = warpo_recorder_get_counts(recorder_);
  result.recorded = counts.written;
  result.lostToLimit = counts.lost_to_limit;
  result.lostToFailure = counts.lost_to_failure;
  result.lostToBuffer = counts.lost_to_buffer;
  result.recordError = warpo_recorder_error_text(recorder_);
  warpo_section_counts sections = warpo_recorder_get_section_counts(recorder_);
  result.sections.endsWithoutBegin += sections.ends_without_begin;
  result.sections.neverEnded += sections.never_ended;
  result.sections.notUtf8 = sections.not_utf8;
  result.sections.tooLong = sections.too_long;
  result.sections.outOfBounds = sections.out_of_bounds;
  result.sections.tooMany = sections.too_many;

  if (target_.format != "warp")
    return; // which has the rate itself

  // Over less time than this, what lies between the two clocks of a pair would show in the rate.
  constexpr std::chrono::milliseconds enough(5);
  std::this_thread::sleep_until(start_.time + enough);
  ClockPair end = ClockPair::now();
  std::chrono::duration<double, std::nano> elapsed = end.time - start_.time;
  if (end.counts > start_.counts)
    result.rate = elapsed.count() / double(end.counts - start_.counts);
}
