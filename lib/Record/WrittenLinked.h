//===- WrittenLinked.h - Which linked functions a writer has written -------===//
// SPDX-License-Identifier: Apache-2.0
//
// For writers of records: a module's linked functions are declared while its record is read.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_RECORD_WRITTENLINKED_H
#define WARPO_LIB_RECORD_WRITTENLINKED_H

#include "warpo/Record/Declarations.h"
#include "llvm/ADT/STLExtras.h"
#include <utility>
#include <vector>

namespace warpo {

class WrittenLinked {
public:
  /// Calls `write` with the id of each module that has more of them than the last time, and these.
  template <typename F> void forEachNew(llvm::ArrayRef<RecordedModule> modules, F write) {
    counts_.resize(modules.size());
    for (const auto &[count, module] : llvm::zip_equal(counts_, modules))
      if (size_t written = std::exchange(count, module.linked.size()); written < count)
        write(module.id, llvm::ArrayRef(module.linked).drop_front(written));
  }

private:
  std::vector<size_t> counts_;
};

} // namespace warpo

#endif
