//===- InputRemarks.h - What a reader left out of its input ---------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_RECORD_INPUTREMARKS_H
#define WARPO_RECORD_INPUTREMARKS_H

#include <string>
#include <vector>

namespace warpo {

/// A reader of a format that holds more than a record can say derives from this too. What is wrong
/// with an input is damage, and no remark.
class InputRemarks {
public:
  virtual ~InputRemarks() = default;
  /// One text each, for the tool to tell once the reader has been opened: `left out, as they are no
  /// calls: 3 instants`.
  virtual std::vector<std::string> remarks() const = 0;
};

} // namespace warpo

#endif
