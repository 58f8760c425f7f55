//===- RecordSession.cpp --------------------------------------------------===//

#include "RecordSession.h"
#include "warpo/Support/Errors.h"
#include <thread>

using namespace llvm;
using namespace warpo;

Expected<std::unique_ptr<RecordSession>> RecordSession::open(const RecordTarget &target) {
  std::unique_ptr<RecordSession> session(new RecordSession());
  if (!target.wanted())
    return session;
  if (target.format != "warp")
    return makeError("this engine writes records of the format warp; try --engine=node for '" +
                     target.format + "'");
  warpo_recorder_options options = WARPO_RECORDER_OPTIONS_DEFAULT;
  options.file = target.file.empty() ? nullptr : target.file.c_str();
  options.fd = target.descriptor;
  options.max_items = target.maxItems.value_or(WARPO_NO_LIMIT);
  session->recorder_ = warpo_recorder_open(&options);
  if (!session->recorder_)
    return makeError("no memory for a recorder");
  if (warpo_recorder_error(session->recorder_))
    return makeError(warpo_recorder_error_text(session->recorder_));
  return session;
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
  result.recordError = warpo_recorder_error_text(recorder_);

  // Over less time than this, what lies between the two clocks of a pair would show in the rate.
  constexpr std::chrono::milliseconds enough(5);
  std::this_thread::sleep_until(start_.time + enough);
  ClockPair end = ClockPair::now();
  std::chrono::duration<double, std::nano> elapsed = end.time - start_.time;
  if (end.counts > start_.counts)
    result.rate = elapsed.count() / double(end.counts - start_.counts);
}
