//===- InstrumentationFlags.h - What instrumentations declare, as flags ---===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLS_WARPO_INSTRUMENT_INSTRUMENTATIONFLAGS_H
#define WARPO_TOOLS_WARPO_INSTRUMENT_INSTRUMENTATIONFLAGS_H

#include "warpo/Instrument/Instrumentation.h"
#include "llvm/Support/CommandLine.h"
#include <memory>

namespace warpo {

/// The options of all built-in instrumentations, each as an option of the tool. Plugins are loaded
/// after the command line was parsed, so their options are given by --instrumentation-option.
class InstrumentationFlags {
public:
  /// Registers the options with LLVM's parser; this object must outlive its use.
  explicit InstrumentationFlags(llvm::cl::OptionCategory &category);
  ~InstrumentationFlags();

  std::vector<GivenOption> given() const;

private:
  class Flag;
  std::vector<std::unique_ptr<Flag>> flags_;
};

} // namespace warpo

#endif
