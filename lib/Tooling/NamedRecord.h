//===- NamedRecord.h - A record with the names of other files ---------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_NAMEDRECORD_H
#define WARPO_LIB_TOOLING_NAMEDRECORD_H

#include "DeclarationFilter.h"
#include "SymbolSet.h"

namespace warpo {

/// A record whose modules are declared with the names that files of symbols have for their
/// functions.
class NamedRecord : public DeclarationFilter {
public:
  /// `symbols` has been joined with the record's modules.
  NamedRecord(std::unique_ptr<RecordReader> reader, SymbolSet symbols)
      : DeclarationFilter(std::move(reader)), symbols_(std::move(symbols)) {}

private:
  class Renamer;
  std::unique_ptr<ForwardingObserver> around(DeclarationObserver &observer) override;

  SymbolSet symbols_;
};

} // namespace warpo

#endif
