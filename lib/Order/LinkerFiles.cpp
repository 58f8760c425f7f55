//===- LinkerFiles.cpp - Orders of sections, for linkers of native code ---===//
// SPDX-License-Identifier: Apache-2.0
//
// One symbol a line. lld takes a `#` in front as a comment, and trims spaces; for Apple's ld `#`
// begins a comment anywhere, `:` ends a file's name, and symbols of C have the `_` that they have
// in object files.
//
//===----------------------------------------------------------------------===//

#include "Names.h"
#include "SymbolNames.h"
#include "warpo/Support/DisplayName.h"
#include "warpo/Support/Errors.h"

using namespace llvm;
using namespace warpo;

namespace {

class LinkerFile : public OrderFile {
public:
  Error write(const ComputedOrder &order, const OrderFileOptions &options, raw_ostream &os,
              std::vector<std::string> &omissions) const override {
    auto names = symbolNames(order, options);
    if (!names)
      return names.takeError();
    StringSet<> written;
    uint64_t repeated = 0;
    for (uint32_t function : order.functions) {
      const std::string &name = (*names)[function];
      if (!fitsTrimmedLine(name) || !canHold(name))
        omissions.push_back("no line can stand for the symbol '" + displayName(name) + "'");
      else if (!written.insert(name).second)
        ++repeated;
      else
        os << prefix() << name << '\n';
    }
    if (repeated > 0)
      omissions.push_back(countOf(repeated, "function shares its", "functions share their") +
                          " symbol with an earlier one");
    return Error::success();
  }

private:
  virtual StringRef prefix() const = 0;
  virtual bool canHold(StringRef name) const = 0;
};

class LldFile : public LinkerFile {
  StringRef prefix() const override { return ""; }
  bool canHold(StringRef name) const override { return !name.starts_with("#"); }
};

class Ld64File : public LinkerFile {
  StringRef prefix() const override { return "_"; }
  bool canHold(StringRef name) const override {
    return name.find_first_of("#:") == StringRef::npos;
  }
};

warpo::Registry<OrderFile>::Add<LldFile> lldRegistration("lld",
                                                         "for --symbol-ordering-file of lld");
warpo::Registry<OrderFile>::Add<Ld64File> ld64Registration("ld64",
                                                           "for -order_file of Apple's linkers");

} // namespace
