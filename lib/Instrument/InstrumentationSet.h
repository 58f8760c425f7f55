//===- InstrumentationSet.h - Several instrumentations as one -------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_INSTRUMENT_INSTRUMENTATIONSET_H
#define WARPO_LIB_INSTRUMENT_INSTRUMENTATIONSET_H

#include "warpo/Instrument/Instrumentation.h"
#include <vector>

namespace warpo {

/// The instrumentations of one pass: in the order given at entries and runs, in reverse at exits.
class InstrumentationSet final : public Instrumentation {
public:
  /// Creates the instrumentations of these names and sets their options. Fails if they exclude each
  /// other.
  static llvm::Expected<InstrumentationSet> create(llvm::ArrayRef<std::string> names,
                                                   llvm::ArrayRef<GivenOption> given);

  InstrumentationNeeds needs() const override { return needs_; }
  /// How many of them insert code into functions.
  unsigned insertingCount() const { return insertingCount_; }
  llvm::Error declare(ModuleDeclarations &declarations) override;
  void instrument(const FunctionSite &site, wasm::FunctionEdit &edit) const override;
  void instrumentBody(uint32_t function, bool isInstrumented,
                      wasm::FunctionEdit &edit) const override;
  void reportTrapped(wasm::CodeSequence &code, bool isOutermost) const override;
  void instrumentWayOut(wasm::CodeSequence &code) const override;
  void instrumentRun(const wasm::RunSite &run, wasm::CodeSequence &code) const override;
  void instrumentCode(uint32_t function, wasm::CodeInsertions &insertions) const override;
  void instrumentUnwinding(uint32_t function, wasm::CodeSequence &code) const override;

private:
  llvm::Error addNeeds(llvm::ArrayRef<std::string> names);

  std::vector<std::unique_ptr<Instrumentation>> instrumentations_;
  InstrumentationNeeds needs_{};
  unsigned insertingCount_ = 0;
};

} // namespace warpo

#endif
