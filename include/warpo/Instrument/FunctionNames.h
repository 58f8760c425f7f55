//===- FunctionNames.h - A name for every function ------------------------===//

#ifndef WARPO_INSTRUMENT_FUNCTIONNAMES_H
#define WARPO_INSTRUMENT_FUNCTIONNAMES_H

#include "warpo/Wasm/Module.h"

namespace warpo {

/// The name of a function is that of the name section; else that of an import as `module.name`;
/// else that of its first export; else `func[12]`.
class FunctionNames {
public:
  /// Refers to the module's bytes.
  explicit FunctionNames(const wasm::Module &module);

  llvm::StringRef operator[](uint32_t function) const { return names_[function]; }
  /// How many functions with code are named by an export, and how many by their number only.
  uint32_t namedByExport() const { return namedByExport_; }
  uint32_t unnamed() const { return unnamed_; }

private:
  std::vector<llvm::StringRef> names_;
  /// The names that do not stand in the module.
  std::vector<std::unique_ptr<std::string>> made_;
  uint32_t namedByExport_ = 0;
  uint32_t unnamed_ = 0;
};

} // namespace warpo

#endif
