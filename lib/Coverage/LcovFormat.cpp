//===- LcovFormat.cpp - Coverage as lcov and genhtml read it --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The format is described in geninfo's manual page. Functions have their linker's names, since
// others may repeat within a file.
//
//===----------------------------------------------------------------------===//

#include "warpo/Coverage/CoverageFormat.h"

using namespace llvm;
using namespace warpo;

namespace {

class LcovFormat : public CoverageFormat {
public:
  bool showsFiles() const override { return true; }
  void write(const Coverage &coverage, raw_ostream &os) override {
    os << "TN:\n";
    for (const CountedFile &file : coverage.source.files)
      writeFile(file, coverage.showsBranches, os);
  }

private:
  static void writeBranches(const CountedFile &file, const CoverageSums &sums, raw_ostream &os);
  static void writeFile(const CountedFile &file, bool showsBranches, raw_ostream &os);
};

} // namespace

void LcovFormat::writeBranches(const CountedFile &file, const CoverageSums &sums, raw_ostream &os) {
  for (const auto &[number, line] : file.lines)
    for (const auto &[block, branch] : enumerate(line.branches))
      for (const auto &[arm, executions] : enumerate(branch.arms)) {
        os << "BRDA:" << number << ',' << block << ',' << arm << ',';
        if (branch.wasReached())
          os << executions << '\n';
        else
          os << "-\n";
      }
  os << "BRF:" << sums.branches.all << "\nBRH:" << sums.branches.executed << '\n';
}

void LcovFormat::writeFile(const CountedFile &file, bool showsBranches, raw_ostream &os) {
  CoverageSums sums = sumsOf(file);
  os << "SF:" << file.path << '\n';
  for (const CountedFunction &function : file.functions)
    os << "FN:" << function.line << ',' << function.name << '\n';
  for (const CountedFunction &function : file.functions)
    os << "FNDA:" << function.executions << ',' << function.name << '\n';
  os << "FNF:" << sums.functions.all << "\nFNH:" << sums.functions.executed << '\n';
  if (showsBranches)
    writeBranches(file, sums, os);
  for (const auto &[number, line] : file.lines)
    os << "DA:" << number << ',' << line.executions << '\n';
  os << "LF:" << sums.lines.all << "\nLH:" << sums.lines.executed << "\nend_of_record\n";
}

static warpo::Registry<CoverageFormat>::Add<LcovFormat>
    registration("lcov", "coverage for genhtml and other readers of lcov's files");
