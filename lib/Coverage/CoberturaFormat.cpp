//===- CoberturaFormat.cpp - Coverage as Cobertura's readers take it ------===//
// SPDX-License-Identifier: Apache-2.0
//
// XML of Cobertura's DTD, version 4. Its packages, classes and methods are folders, files and
// functions here. It has no times: the same counts give the same bytes.
//
//===----------------------------------------------------------------------===//

#include "warpo/Coverage/CoverageFormat.h"
#include "warpo/Support/DisplayName.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace warpo;

namespace {

class CoberturaWriter {
public:
  CoberturaWriter(const Coverage &coverage, raw_ostream &os) : coverage_(coverage), os_(os) {}

  void write();

private:
  void writePackage(StringRef folder, ArrayRef<const CountedFile *> files);
  void writeFile(const CountedFile &file);
  void writeMethod(const CountedFile &file, const CountedFunction &function);
  void writeLines(const std::map<uint32_t, CountedLine> &lines);
  void writeLine(uint32_t number, const CountedLine &line);
  void writeText(StringRef name, StringRef text) {
    os_ << ' ' << name << "=\"";
    printHTMLEscaped(displayText(text), os_);
    os_ << '"';
  }
  void writeRates(const CoverageSums &sums) {
    writeRate("line-rate", sums.lines);
    writeRate("branch-rate", sums.branches);
    os_ << " complexity=\"0\"";
  }
  void writeRate(StringRef name, const CoverageSums::Share &share) {
    double rate = share.all ? double(share.executed) / double(share.all) : 1;
    os_ << ' ' << name << "=\"" << format("%.4f", rate) << '"';
  }

  const Coverage &coverage_;
  raw_ostream &os_;
};

class CoberturaFormat : public CoverageFormat {
public:
  bool showsFiles() const override { return true; }
  void write(const Coverage &coverage, raw_ostream &os) override {
    CoberturaWriter(coverage, os).write();
  }
};

} // namespace

void CoberturaWriter::writeLine(uint32_t number, const CountedLine &line) {
  os_ << "<line number=\"" << number << "\" hits=\"" << line.executions << '"';
  if (line.branches.empty()) {
    os_ << " branch=\"false\"/>\n";
    return;
  }
  CoverageSums::Share all = branchesOf(line);
  os_ << " branch=\"true\" condition-coverage=\"" << 100 * all.executed / all.all << "% ("
      << all.executed << '/' << all.all << ")\"><conditions>\n";
  for (const auto &[index, branch] : enumerate(line.branches)) {
    uint64_t executed = count_if(branch.arms, [](uint64_t arm) { return arm != 0; });
    os_ << "<condition number=\"" << index << "\" type=\"jump\" coverage=\""
        << 100 * executed / branch.arms.size() << "%\"/>\n";
  }
  os_ << "</conditions></line>\n";
}

void CoberturaWriter::writeLines(const std::map<uint32_t, CountedLine> &lines) {
  os_ << "<lines>\n";
  for (const auto &[number, line] : lines)
    writeLine(number, line);
  os_ << "</lines>\n";
}

void CoberturaWriter::writeMethod(const CountedFile &file, const CountedFunction &function) {
  CountedFile own;
  for (uint32_t line : function.lines)
    own.lines.insert(*file.lines.find(line));
  os_ << "<method";
  writeText("name", function.name);
  writeText("signature", "");
  writeRates(sumsOf(own));
  os_ << ">\n";
  writeLines(own.lines);
  os_ << "</method>\n";
}

void CoberturaWriter::writeFile(const CountedFile &file) {
  os_ << "<class";
  writeText("name", sys::path::filename(file.path, sys::path::Style::posix));
  writeText("filename", file.path);
  writeRates(sumsOf(file));
  os_ << ">\n<methods>\n";
  for (const CountedFunction &function : file.functions)
    writeMethod(file, function);
  os_ << "</methods>\n";
  writeLines(file.lines);
  os_ << "</class>\n";
}

void CoberturaWriter::writePackage(StringRef folder, ArrayRef<const CountedFile *> files) {
  CoverageSums sums;
  for (const CountedFile *file : files)
    sums.add(sumsOf(*file));
  os_ << "<package";
  writeText("name", folder);
  writeRates(sums);
  os_ << ">\n<classes>\n";
  for (const CountedFile *file : files)
    writeFile(*file);
  os_ << "</classes>\n</package>\n";
}

void CoberturaWriter::write() {
  CoverageSums sums;
  std::map<StringRef, std::vector<const CountedFile *>> packages;
  for (const CountedFile &file : coverage_.source.files) {
    sums.add(sumsOf(file));
    packages[sys::path::parent_path(file.path, sys::path::Style::posix)].push_back(&file);
  }
  os_ << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
         "<!DOCTYPE coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n"
         "<coverage";
  writeRates(sums);
  os_ << " lines-covered=\"" << sums.lines.executed << "\" lines-valid=\"" << sums.lines.all
      << "\" branches-covered=\"" << sums.branches.executed << "\" branches-valid=\""
      << sums.branches.all
      << "\" version=\"warpo\" timestamp=\"0\">\n<sources><source>.</source></sources>\n"
         "<packages>\n";
  for (const auto &[folder, files] : packages)
    writePackage(folder, files);
  os_ << "</packages>\n</coverage>\n";
}

static warpo::Registry<CoverageFormat>::Add<CoberturaFormat>
    registration("cobertura", "coverage as XML, for continuous integration");
