//===- InputRemarks.h - What a reader omitted from its input --------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_RECORD_INPUTREMARKS_H
#define WARPO_RECORD_INPUTREMARKS_H

#include <string>
#include <vector>

namespace warpo {

/// Additional base class of readers for formats with more contents than a record can represent.
/// Errors in an input are damage, not remarks.
class InputRemarks {
public:
  virtual ~InputRemarks() = default;
  /// Texts for the user, available once the reader has been opened: `left out, as they are no
  /// calls: 3 instants`.
  virtual std::vector<std::string> remarks() const = 0;
};

} // namespace warpo

#endif
