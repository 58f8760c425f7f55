//===- PriorityHints.cpp --------------------------------------------------===//

#include "PriorityHints.h"
#include "warpo/Wasm/ByteWriter.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;

SmallVector<uint8_t, 0> warpo::encodePriorities(ArrayRef<uint32_t> order) {
  std::vector<std::pair<uint32_t, uint32_t>> priorities;
  for (auto [priority, function] : enumerate(order))
    priorities.push_back({function, uint32_t(priority)});
  llvm::sort(priorities);
  SmallVector<uint8_t, 0> contents;
  wasm::ByteWriter writer(contents);
  writer.uleb(priorities.size());
  for (auto [function, priority] : priorities) {
    writer.uleb(function);
    writer.uleb(1); // one hint
    writer.uleb(0); // for the function as a whole
    writer.uleb(getULEB128Size(priority));
    writer.uleb(priority);
  }
  return contents;
}
