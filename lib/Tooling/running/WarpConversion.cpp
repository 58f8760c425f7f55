//===- WarpConversion.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "WarpConversion.h"
#include "warpo/Record/FunctionTable.h"
#include "warpo/Record/OneStack.h"
#include "warpo/Record/RecordWalk.h"
#include "warpo/Recorder/warpo_recorder.h"
#include "warpo/Support/CounterRate.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/SectionId.h"
#include "llvm/Support/FileSystem.h"
#include <cstdlib>
#include <unistd.h>

using namespace llvm;
using namespace warpo;

static constexpr StringLiteral formatName = "warp";

/// The engine would apply its limit of bytes to its own record, so this limits the number of
/// entries instead.
static void limitBytes(RecordTarget &target) {
  constexpr char variable[] = "WARPO_RECORDER_MAX_BYTES";
  constexpr uint64_t magicSize = 16;
  const char *value = std::getenv(variable);
  uint64_t bytes;
  // The engine reports an invalid value.
  if (!value || StringRef(value).getAsInteger(10, bytes))
    return;
  uint64_t most = (std::max(bytes, magicSize) - magicSize) / sizeof(warpo_record);
  target.maxItems = std::min(most, target.maxItems.value_or(most));
  unsetenv(variable);
}

Expected<std::unique_ptr<WarpConversion>> WarpConversion::create(RecordTarget &target) {
  auto output = OutputFile::create(target.file.empty() ? "-" : target.file, formatName,
                                   /*isBinary=*/true);
  if (!output)
    return output.takeError();
  std::unique_ptr<WarpConversion> conversion(new WarpConversion(target, std::move(*output)));
  limitBytes(target);
  int descriptor;
  SmallString<128> path;
  if (std::error_code code = sys::fs::createTemporaryFile("warpo-run", "warpo", descriptor, path))
    return makeError("cannot make a temporary file: " + code.message());
  conversion->recorded_.reset(descriptor);
  unlink(path.c_str());
  target.file.clear();
  target.descriptor = descriptor;
  target.format = "warpo";
  return conversion;
}

Error WarpConversion::write(RunResult &result) {
  // The file has no other name. Opening it again sets the position to its start.
  auto input = InputStream::open("/proc/self/fd/" + std::to_string(recorded_.get()));
  if (!input)
    return input.takeError();
  auto opened = openRecord(std::move(*input));
  if (!opened)
    return opened.takeError();
  OneStack record(std::move(*opened), output_->name().str());
  const RecordHeader &header = record.header();
  CounterRate rate = measureCounterRate();
  TimeScale counter(rate.nanoseconds, rate.counts);
  const std::optional<TimeScale> &scale = header.measures.front().scale;
  if (scale)
    result.rate = counter.nanosecondsPerCount();
  auto timeOf = [&](uint64_t time) {
    return scale ? counter.toCounts(scale->toNanoseconds(time - header.origin)) : time;
  };
  auto format = warpo::Registry<RecordFormat>::create(formatName);
  if (!format)
    return format.takeError();
  FunctionTable functions;
  auto writer = (*format)->create(output_->os(), {header, functions});
  if (!writer)
    return writer.takeError();
  RecordColumns columns;
  auto convert = [&](const RecordBatch &batch) -> Error {
    columns.clear();
    for (size_t i = 0; i < batch.size(); ++i)
      // Sections are named events, which the format does not support.
      if (!isSection(std::abs(batch.ids[i]))) {
        columns.times.push_back(timeOf(batch.times[i]));
        columns.ids.push_back(batch.ids[i]);
      }
    if (Error error = (*writer)->write(columns.batch(batch.stream)))
      return error;
    return output_->check();
  };
  if (Error error = forEachBatch(record, convert))
    return error;
  return (*writer)->finish();
}

Error WarpConversion::finish(RecordTarget &target, RunResult &result) {
  target = wanted_;
  // There is nothing to write; an existing file is kept.
  if (!result.instrumented)
    return Error::success();
  result.sections = {};
  if (Error error = write(result))
    return error;
  return output_->commit();
}
