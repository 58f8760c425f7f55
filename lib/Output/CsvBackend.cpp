//===- CsvBackend.cpp - A profile as a table ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// RFC 4180, with a line that names the columns: one line for each calling context, callers before
// their callees. `caller` is the caller's `context`, 0 for the host.
//
//   context,caller,depth,function,module,file,line,time_self_ns,time_total_ns,calls_self,calls_total
//
//===----------------------------------------------------------------------===//

#include "profile/ContextList.h"
#include "warpo/Support/CsvText.h"

using namespace llvm;
using namespace warpo;

static void writeNames(const ContextList &list, raw_ostream &os) {
  os << "context,caller,depth,function,module,file,line";
  for (const WeightColumn &weight : list.weights())
    for (StringRef part : {"self", "total"}) {
      os << ',';
      writeCsvField(weight.columnName(part), os);
    }
  os << "\r\n";
}

namespace {

class CsvBackend : public ProfileBackend {
public:
  StringRef extension() const override { return ".csv"; }
  bool isBinary() const override { return false; }

  Error write(const Profile &profile, raw_ostream &os) override {
    ContextList list(profile);
    writeNames(list, os);
    std::vector<std::string> frames;
    for (const Frame &frame : list.frames()) {
      raw_string_ostream fields(frames.emplace_back());
      for (StringRef text : {frame.name, frame.module, frame.file}) {
        writeCsvField(text, fields);
        fields << ',';
      }
      if (frame.line > 0)
        fields << frame.line;
    }
    for (size_t i = 0; i < list.contexts().size(); ++i) {
      const ListedContext &context = list.contexts()[i];
      size_t caller = context.caller == ListedContext::noCaller ? 0 : size_t(context.caller) + 1;
      os << i + 1 << ',' << caller << ',' << context.depth << ',' << frames[context.frame];
      for (const WeightColumn &weight : list.weights())
        os << ',' << weight.self[i] << ',' << weight.inclusive[i];
      os << "\r\n";
    }
    return Error::success();
  }
};

warpo::Registry<ProfileBackend>::Add<CsvBackend>
    registration("csv", "a table of calling contexts, all weights in one file");

} // namespace
