//===- DiffBackend.h - The registry of outputs made of a difference -------===//
// SPDX-License-Identifier: Apache-2.0
//
// To add a format, add one .cpp to lib/Output that derives from DiffBackend and registers itself.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_OUTPUT_DIFFBACKEND_H
#define WARPO_OUTPUT_DIFFBACKEND_H

#include "warpo/Profile/ProfileDiff.h"
#include "warpo/Support/Registry.h"

namespace warpo {

class DiffBackend {
public:
  static constexpr llvm::StringLiteral kind = "format of differences";
  virtual ~DiffBackend();

  /// The extension of files, with the dot.
  virtual llvm::StringRef extension() const = 0;
  virtual bool isBinary() const = 0;
  /// `title` names what is compared.
  virtual llvm::Error write(const ProfileDiff &diff, llvm::StringRef title,
                            llvm::raw_ostream &os) = 0;
};

} // namespace warpo

#endif
