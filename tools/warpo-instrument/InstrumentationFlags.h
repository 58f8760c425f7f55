//===- InstrumentationFlags.h - What instrumentations declare, as flags ---===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLS_WARPO_INSTRUMENT_INSTRUMENTATIONFLAGS_H
#define WARPO_TOOLS_WARPO_INSTRUMENT_INSTRUMENTATIONFLAGS_H

#include "warpo/Instrument/Instrumentation.h"
#include "llvm/Support/CommandLine.h"
#include <memory>

namespace warpo {

/// The options of all instrumentations that are built in, each as an option of the tool. Plugins
/// are loaded when the command line has been parsed: theirs are given by --instrumentation-option.
class InstrumentationFlags {
public:
  /// Makes the options, which LLVM's parser knows from then on: this must outlive its use.
  explicit InstrumentationFlags(llvm::cl::OptionCategory &category);
  ~InstrumentationFlags();

  /// What the command line has.
  std::vector<GivenOption> given() const;

private:
  class Flag;
  std::vector<std::unique_ptr<Flag>> flags_;
};

} // namespace warpo

#endif
