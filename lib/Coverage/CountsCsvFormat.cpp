//===- CountsCsvFormat.cpp - All counts as a table for other programs -----===//
// SPDX-License-Identifier: Apache-2.0
//
// One row for each straight run, and for each arm of a branch; needs no debug information. Offsets
// are those of DWARF: bytes from the beginning of the code section's contents.
//
//===----------------------------------------------------------------------===//

#include "warpo/Coverage/CoverageFormat.h"
#include "warpo/Support/CsvText.h"
#include "warpo/Wasm/FunctionNames.h"
#include "llvm/Support/Format.h"

using namespace llvm;
using namespace warpo;

namespace {

class CountsCsvFormat : public CoverageFormat {
public:
  void write(const Coverage &coverage, raw_ostream &os) override;
};

/// The rows of one function.
class FunctionRows {
public:
  FunctionRows(const Coverage &coverage, const FunctionCounts &function, StringRef name,
               uint64_t bodyOffset, raw_ostream &os)
      : coverage_(coverage), function_(function), name_(name), bodyOffset_(bodyOffset), os_(os) {}

  void writeRun(uint32_t run);
  void writeArm(const FlowBranch &branch, size_t arm);

private:
  void begin(StringRef kind, uint32_t offset);
  void endWithPlace(uint32_t offset, const Twine &arm);

  const Coverage &coverage_;
  const FunctionCounts &function_;
  StringRef name_;
  uint64_t bodyOffset_;
  raw_ostream &os_;
};

} // namespace

void FunctionRows::begin(StringRef kind, uint32_t offset) {
  os_ << kind << ',' << function_.index << ',';
  writeCsvField(name_, os_);
  os_ << ',' << format_hex(bodyOffset_ + offset, 1) << ',';
}

void FunctionRows::endWithPlace(uint32_t offset, const Twine &arm) {
  auto frames = locate(coverage_.places, bodyOffset_ + offset);
  os_ << ',';
  if (!frames.empty() && frames.front().line) {
    writeCsvField(frames.front().file, os_);
    os_ << ',' << frames.front().line;
  } else {
    os_ << ',';
  }
  os_ << ',' << arm << '\n';
}

void FunctionRows::writeRun(uint32_t run) {
  const FlowRun &straight = function_.graph.runs[run];
  begin("run", straight.begin);
  os_ << straight.end - straight.begin << ',' << function_.counts.runs[run] << ',' << straight.cost;
  endWithPlace(straight.begin, "");
}

void FunctionRows::writeArm(const FlowBranch &branch, size_t arm) {
  begin("arm", branch.offset);
  os_ << ',' << function_.counts.edges[branch.arms[arm]] << ',';
  if (branch.isTable())
    endWithPlace(branch.offset, Twine(arm));
  else
    endWithPlace(branch.offset, arm == 0 ? "taken" : "passed");
}

void CountsCsvFormat::write(const Coverage &coverage, raw_ostream &os) {
  const wasm::Module &module = coverage.counts.module();
  wasm::FunctionNames names(module);
  uint64_t code = 0;
  for (const wasm::Section &section : module.sections)
    if (section.id == wasm::SectionId::code)
      code = section.contents.offset;
  os << "kind,function,name,offset,size,executions,cost,file,line,arm\n";
  coverage.counts.forEach([&](const FunctionCounts &function) {
    std::string name = names[function.index];
    const wasm::ByteRange &body = module.bodies[function.index - module.importedFunctionCount()];
    FunctionRows rows(coverage, function, name, body.offset - code, os);
    for (uint32_t run = 0; run != function.graph.runs.size(); ++run)
      if (!isFree(function.graph, run))
        rows.writeRun(run);
    if (!coverage.showsBranches)
      return;
    for (const FlowBranch &branch : function.graph.branches)
      for (size_t arm = 0; arm != branch.arms.size(); ++arm)
        rows.writeArm(branch, arm);
  });
}

static warpo::Registry<CoverageFormat>::Add<CountsCsvFormat>
    registration("csv", "a row for each straight run and for each way of a branch");
