//===- SummaryFormat.cpp - How much was executed, file by file ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Coverage/CoverageFormat.h"
#include "warpo/Support/Demangle.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace warpo;

namespace {

class SummaryFormat : public CoverageFormat {
public:
  bool showsFiles() const override { return true; }
  void write(const Coverage &coverage, raw_ostream &os) override;
};

struct Row {
  CoverageSums sums;

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
    Row row{sumsOf(file)};
    row.write(file.path, coverage.showsBranches, os);
    all.sums.add(row.sums);
  }
  all.write("all", coverage.showsBranches, os);
  if (coverage.source.dropped.empty())
    return;
  os << "\nnot in the module, and not counted:\n";
  for (const auto &[path, function] : coverage.source.dropped)
    os << "  " << path << ':' << function.line << ' ' << demangleName(function.name) << '\n';
}

static warpo::Registry<CoverageFormat>::Add<SummaryFormat>
    registration("summary", "a table of how much of each file was executed");
