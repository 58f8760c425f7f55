//===- YamlSample.cpp - Samples of a record in YAML -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "YamlSides.h"

using namespace llvm;
using namespace warpo;

template <> StringRef warpo::yamlKeyOf<StackSample>() { return "sample"; }

template <>
Error warpo::readYamlEntry(YamlSource &record, LineCursor &line, std::optional<uint64_t> &lastTime,
                           StackSample &sample) {
  constexpr StringLiteral form = "expected '- sample: [<time>, <time and fuel since the one "
                                 "before>, <frame>, ...]'";
  int64_t time;
  if (!line.take("[") || !line.takeNumber(time) || time < 0 || !line.take(",") ||
      !line.takeNumber(sample.timeSince))
    return record.problem(form);
  for (size_t column = 0; column < std::max<size_t>(record.header().columns().size(), 1); ++column)
    if (!line.take(",") || !line.takeNumber(sample.countsSince[column]))
      return record.problem(form);
  // Samples may have fuel even if the record does not declare it.
  if (record.header().columns().empty() && sample.countsSince[0] > 0)
    record.addColumn(*Measure::ofClock("fuel"));
  sample.time = YamlSource::origin + uint64_t(time);
  if (lastTime && (sample.time < *lastTime || sample.timeSince > sample.time - *lastTime))
    return record.problem("the sample begins before the one before it was taken, at " +
                          Twine(*lastTime - YamlSource::origin));
  lastTime = sample.time;
  while (line.take(",")) {
    RecordedStack stack{.parent = sample.stack,
                        .moduleId = record.header().streams[record.currentStream()].moduleId};
    if (line.take("[")) {
      if (!line.takeNumber(stack.id) || !line.take(",") || !line.takeNumber(stack.offset) ||
          !line.take("]") || stack.id <= 0)
        return record.problem("expected a frame '[<id>, <offset>]'");
    } else if (!line.takeNumber(stack.id) && !line.takeText(stack.text, ",]"))
      return record.problem(form);
    if (stack.id < 0 || (stack.id == 0 && stack.text.empty()))
      return record.problem("expected the id of a function between 1 and 2^31 - 1");
    if (Error error = record.enterFrame(std::move(stack), sample.stack))
      return error;
  }
  if (!line.take("]") || !line.atEnd())
    return record.problem(form);
  return Error::success();
}

static void writeSample(YamlWriter &writer, const StackSample &sample) {
  raw_ostream &os = writer.os();
  os << "  - sample: [" << int64_t(sample.time - writer.header().origin) << ", "
     << sample.timeSince;
  // Like the reader: without columns, fuel.
  for (ColumnIndex column = 0; column < writer.header().columns().size(); ++column)
    os << ", " << sample.countsSince[column];
  if (writer.header().columns().empty())
    os << ", " << (writer.header().hasTime() ? 0 : sample.timeSince);
  writer.writeFrames(sample.stack, [&](const RecordedStack &frame) {
    if (frame.offset != 0)
      os << '[' << frame.id << ", " << frame.offset << ']';
    else
      os << frame.id;
  });
  os << "]\n";
}

template <>
void warpo::writeYamlEntries(YamlWriter &writer, StreamIndex, ArrayRef<StackSample> samples) {
  for (const StackSample &sample : samples)
    writeSample(writer, sample);
}
