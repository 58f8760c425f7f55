//===- CsvBackend.cpp - A profile as a table ------------------------------===//
//
// RFC 4180, with a line that names the columns: one line for each calling context, callers before
// their callees. `caller` is the caller's `context`, 0 for the host.
//
//   context,caller,depth,function,module,file,line,time_self_ns,time_total_ns,calls_self,calls_total
//
//===----------------------------------------------------------------------===//

#include "profile/ContextList.h"

using namespace llvm;
using namespace warpo;

// A spreadsheet computes what begins like a formula, and what it computes may open programs.
static std::string textField(StringRef text) {
  bool isFormula = !text.empty() && StringRef("=+-@").contains(text.front());
  if (!isFormula && text.find_first_of("\",") == StringRef::npos)
    return text.str();
  std::string result = isFormula ? "\"'" : "\"";
  for (char c : text)
    result.append(c == '"' ? 2 : 1, c);
  return result + "\"";
}

static void writeNames(const ContextList &list, raw_ostream &os) {
  os << "context,caller,depth,function,module,file,line";
  for (const WeightColumn &weight : list.weights())
    for (StringRef part : {"_self", "_total"}) {
      std::string name = weight.name + part.str();
      if (weight.unit != weight.name)
        name += "_" + weight.unit;
      os << ',' << textField(displayName(name));
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
    for (const Frame &frame : list.frames())
      frames.push_back(textField(frame.name) + "," + textField(frame.module) + "," +
                       textField(frame.file) + "," +
                       (frame.line > 0 ? std::to_string(frame.line) : ""));
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
