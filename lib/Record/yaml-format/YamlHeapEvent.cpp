//===- YamlHeapEvent.cpp - Heap events of a record in YAML ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "YamlSides.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;

template <> StringRef warpo::yamlKeyOf<HeapEvent>() { return "heap"; }

static constexpr StringLiteral form =
    "'- heap: [allocate, <time>, <memory>, <address>, <size>, <frame>, ...]', '[free, <time>, "
    "<memory>, <address>, ...]', '[reallocate, <time>, <memory>, <old address>, <address>, "
    "<size>, ...]', '[grow, <time>, <memory>, <size>, ...]' or '[grow-table, <time>, <table>, "
    "<elements>, ...]'";

/// Reads everything but the stack; `time` is since the record's origin.
static bool parse(LineCursor &line, int64_t &time, HeapEvent &event) {
  std::string operation;
  if (!line.take("[") || !line.takeText(operation, ",") || !line.take(",") ||
      !line.takeNumber(time) || !line.take(",") || !line.takeNumber(event.memory))
    return false;
  const auto *known = find(heapOperationNames, operation);
  if (known == std::end(heapOperationNames))
    return false;
  event.operation = HeapOperation(known - heapOperationNames);
  auto take = [&](bool has, uint64_t &number) {
    return !has || (line.take(",") && line.takeNumber(number));
  };
  if (!take(event.operation == HeapOperation::reallocate, event.oldAddress) ||
      !take(event.operation < HeapOperation::grow, event.address) ||
      !take(event.operation != HeapOperation::free, event.size))
    return false;
  return time >= YamlSource::earliestTime;
}

template <>
Error warpo::readYamlEntry(YamlSource &record, LineCursor &line, std::optional<uint64_t> &lastTime,
                           HeapEvent &event) {
  int64_t time;
  if (!parse(line, time, event))
    return record.problem("expected " + form);
  event.time = YamlSource::origin + uint64_t(time);
  if (lastTime && event.time < *lastTime)
    return record.problem("the heap event comes before the one before it, at " +
                          Twine(int64_t(*lastTime - YamlSource::origin)));
  lastTime = event.time;
  if (Error error = record.readFrames(line, event.stack))
    return error;
  if (!line.take("]") || !line.atEnd())
    return record.problem("expected " + form);
  return Error::success();
}

static void writeHeapEvent(YamlWriter &writer, const HeapEvent &event) {
  raw_ostream &os = writer.os();
  os << "  - heap: [" << heapOperationNames[unsigned(event.operation)] << ", "
     << int64_t(event.time - writer.header().origin) << ", " << event.memory;
  if (event.operation == HeapOperation::reallocate)
    os << ", " << event.oldAddress;
  if (event.operation < HeapOperation::grow)
    os << ", " << event.address;
  if (event.operation != HeapOperation::free)
    os << ", " << event.size;
  writer.writeModuleFrames(event.stack);
  os << "]\n";
}

template <>
void warpo::writeYamlEntries(YamlWriter &writer, StreamIndex stream, ArrayRef<HeapEvent> events) {
  writer.writeHeapInterval(stream);
  for (const HeapEvent &event : events)
    writeHeapEvent(writer, event);
}
