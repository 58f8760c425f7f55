//===- SummaryFormat.cpp - How much was executed, file by file ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Coverage/CoverageFormat.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace warpo;

namespace {

class SummaryFormat : public CoverageFormat {
public:
  void write(const Coverage &coverage, raw_ostream &os) override;
};

/// Of shares, what they have in common.
struct Row {
  CoverageSums sums;

  void add(const CoverageSums &other) {
    for (auto share : {&CoverageSums::functions, &CoverageSums::lines, &CoverageSums::branches}) {
      (sums.*share).executed += (other.*share).executed;
      (sums.*share).all += (other.*share).all;
    }
  }
  void write(StringRef name, bool showsBranches, raw_ostream &os) const {
    writeShare(sums.functions, os);
    writeShare(sums.lines, os);
    if (showsBranches)
      writeShare(sums.branches, os);
    os << "  " << name << '\n';
  }

private:
  static void writeShare(const CoverageSums::Share &share, raw_ostream &os) {
    std::string percent =
        share.all ? formatv("{0:F1} %", 100.0 * double(share.executed) / double(share.all)).str()
                  : "-";
    os << formatv("{0,9} {1,15}", percent, formatv("{0}/{1}", share.executed, share.all).str());
  }
};

} // namespace

void SummaryFormat::write(const Coverage &coverage, raw_ostream &os) {
  os << "                functions                    lines";
  if (coverage.showsBranches)
    os << "                 branches";
  os << "  file\n";
  Row all;
  for (const CountedFile &file : coverage.source.files) {
    Row row;
    row.add(sumsOf(file));
    row.write(file.path, coverage.showsBranches, os);
    all.add(row.sums);
  }
  all.write("all", coverage.showsBranches, os);
}

static warpo::Registry<CoverageFormat>::Add<SummaryFormat>
    registration("summary", "a table of how much of each file was executed");
