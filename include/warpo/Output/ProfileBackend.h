//===- ProfileBackend.h - The registry of outputs made of a profile -------===//
//
// To add a profile format, add one .cpp to lib/Output that derives from ProfileBackend and
// registers itself.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_OUTPUT_PROFILEBACKEND_H
#define WARPO_OUTPUT_PROFILEBACKEND_H

#include "warpo/Profile/Profile.h"
#include "warpo/Support/Registry.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace warpo {

/// A name as text that can be shown: valid UTF-8 without control characters and line separators,
/// which become spaces, and without spaces around it; `[unknown]` if nothing is left.
std::string displayName(llvm::StringRef name);

class ProfileBackend {
public:
  static constexpr llvm::StringLiteral kind = "output format";
  virtual ~ProfileBackend();

  /// Of files, with the dot.
  virtual llvm::StringRef extension() const = 0;
  virtual bool isBinary() const = 0;
  virtual llvm::Error write(const Profile &profile, llvm::raw_ostream &os) = 0;
};

} // namespace warpo

#endif
