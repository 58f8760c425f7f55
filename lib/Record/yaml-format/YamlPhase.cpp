//===- YamlPhase.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "YamlPhase.h"
#include "warpo/Support/Errors.h"

using namespace llvm;
using namespace warpo;

Expected<RecordedPhase> warpo::parsePhase(LineCursor &line) {
  RecordedPhase phase;
  int64_t begin, end;
  bool isWhole = line.take("[") && line.takeNumber(begin) && line.take(",") &&
                 line.takeNumber(end) && line.take(",") && line.takeText(phase.name, ",]");
  if (isWhole && line.take(","))
    isWhole = line.takeNumber(phase.ticks) && line.take(",") && line.takeText(phase.unit, ",]");
  if (!isWhole && line.isOutOfRange())
    return makeError("a phase's times are between -2^63 and 2^63 - 1, its ticks between 0 and "
                     "2^64 - 1");
  if (isWhole && line.take(","))
    isWhole = line.takeText(phase.run, "]");
  if (!isWhole || !line.take("]") || !line.atEnd())
    return makeError("expected '- phase: [<begin>, <end>, <name>]', '[..., <ticks>, <unit>]' or "
                     "'[..., <ticks>, <unit>, <run>]'");
  phase.begin = uint64_t(begin);
  phase.end = uint64_t(end);
  if (begin > end || phase.duration() > INT64_MAX)
    return makeError("a phase ends after it begins, within 2^63 counts");
  return phase;
}
