//===- HtmlBackend.cpp - A profile as a page with several views -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "html/ProfilePayload.h"
#include "html/ReportPage.h"

using namespace llvm;
using namespace warpo;

namespace {

class HtmlBackend : public ProfileBackend {
public:
  StringRef extension() const override { return ".html"; }
  bool isBinary() const override { return false; }
  bool namesModules() const override { return true; }
  bool canLink() const override { return true; }

  Error write(const Profile &profile, raw_ostream &os) override {
    ContextList list(profile);
    ProfilePayload data(list, sourceUrl());
    addNotes(std::move(data.notes));
    return writeReportPage({.title = list.title(), .payload = data.payload}, os);
  }
};

warpo::Registry<ProfileBackend>::Add<HtmlBackend>
    registration("html", "a page with a table, a flame graph, callers and callees, speedscope");

} // namespace
