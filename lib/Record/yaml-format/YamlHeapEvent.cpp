//===- YamlHeapEvent.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "YamlHeapEvent.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;

std::optional<YamlHeapEvent> YamlHeapEvent::parse(LineCursor &line) {
  YamlHeapEvent read;
  HeapEvent &event = read.event;
  std::string operation;
  if (!line.take("[") || !line.takeText(operation, ",") || !line.take(",") ||
      !line.takeNumber(read.time) || !line.take(",") || !line.takeNumber(event.memory))
    return std::nullopt;
  const auto *known = find(heapOperationNames, operation);
  if (known == std::end(heapOperationNames))
    return std::nullopt;
  event.operation = HeapOperation(known - heapOperationNames);
  auto take = [&](bool has, uint64_t &number) {
    return !has || (line.take(",") && line.takeNumber(number));
  };
  if (!take(event.operation == HeapOperation::reallocate, event.oldAddress) ||
      !take(event.operation < HeapOperation::grow, event.address) ||
      !take(event.operation != HeapOperation::free, event.size))
    return std::nullopt;
  return read;
}
