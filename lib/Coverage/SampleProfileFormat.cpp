//===- SampleProfileFormat.cpp - A sample profile for LLVM's compilers ----===//
// SPDX-License-Identifier: Apache-2.0
//
// The text format, which clang's -fprofile-sample-use= reads and llvm-profdata converts to others:
//
//   function := name ":" total ":" head "\n" item*
//   item     := " "+ location ":" " " count (" " callee ":" count)* "\n"
//             | " "+ location ":" " " callee ":" total "\n" item*          what is inlined there
//   location := offset ("." discriminator)?
//
// An item has one space more than the one it belongs to.
//
//===----------------------------------------------------------------------===//

#include "SampleProfile.h"

using namespace llvm;
using namespace warpo;

static raw_ostream &writeLocation(const CodeSamples::Location &location, unsigned depth,
                                  raw_ostream &os) {
  os.indent(depth) << location.first;
  if (location.second)
    os << '.' << location.second;
  return os << ": ";
}

static void write(const CodeSamples &samples, unsigned depth, raw_ostream &os) {
  for (const auto &[location, each] : samples.body) {
    writeLocation(location, depth, os) << each.count;
    for (const auto &[callee, count] : each.callees)
      os << ' ' << callee << ':' << count;
    os << '\n';
  }
  for (const auto &[location, calls] : samples.inlined)
    for (const auto &[name, call] : calls) {
      writeLocation(location, depth, os) << name << ':' << call.total() << '\n';
      write(call, depth + 1, os);
    }
}

namespace {

class SampleProfileFormat : public CoverageFormat {
public:
  bool showsCallTargets() const override { return true; }
  void write(const Coverage &coverage, raw_ostream &os) override {
    SampleProfile profile = makeSampleProfile(coverage);
    for (const auto &[name, function] : profile.functions) {
      os << name << ':' << function.total() << ':' << function.head << '\n';
      ::write(function, 1, os);
    }
    notes_ = std::move(profile.notes);
  }
  std::vector<std::string> notes() const override { return notes_; }

private:
  std::vector<std::string> notes_;
};

warpo::Registry<CoverageFormat>::Add<SampleProfileFormat>
    registration("sample-profile", "for clang's -fprofile-sample-use and llvm-profdata --sample");

} // namespace
