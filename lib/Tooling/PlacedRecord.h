//===- PlacedRecord.h - A record with the source places of other files ------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_PLACEDRECORD_H
#define WARPO_LIB_TOOLING_PLACEDRECORD_H

#include "DeclarationFilter.h"
#include "PlacesSet.h"

namespace warpo {

/// A record whose modules are declared with the places that files have for their functions, in
/// place of those that it recorded.
class PlacedRecord : public DeclarationFilter {
public:
  /// `files` have been joined with the record's modules.
  PlacedRecord(std::unique_ptr<RecordReader> reader, PlacesSet files)
      : DeclarationFilter(std::move(reader)), files_(std::move(files)) {}

private:
  class Placer;
  std::unique_ptr<ForwardingObserver> around(DeclarationObserver &observer) override;

  PlacesSet files_;
};

} // namespace warpo

#endif
