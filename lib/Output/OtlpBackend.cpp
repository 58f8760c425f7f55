//===- OtlpBackend.cpp - Profiles for OpenTelemetry -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// One message, otlp/profiles.proto, as protobuf or as JSON. It is the request that exports profiles
// too, so that a file can be sent to /v1development/profiles as it is.
//
//===----------------------------------------------------------------------===//

#include "otlp/MessageJson.h"
#include "otlp/ProfilesMessage.h"
#include "profile/ReaderLimits.h"

using namespace llvm;
using namespace warpo;

// All stacks are in memory, here and where they are read.
static constexpr uint64_t maxFrames = 20'000'000;
static constexpr uint32_t maxDepth = std::numeric_limits<uint32_t>::max();
static constexpr uint64_t maxValue = std::numeric_limits<int64_t>::max();

namespace {

class OtlpBackend : public ProfileBackend {
public:
  bool showsLines() const final { return true; }
  bool showsOrigin() const final { return true; }

  Error write(const Profile &profile, raw_ostream &os) final {
    ContextList list(profile);
    addNotes(cutStacks(list, maxDepth, maxFrames, "the file's readers would need too much memory"));
    auto data = otlp::profilesMessage(list, profile, origin());
    if (!data)
      return data.takeError();
    addNotes(notesOfLargeTotals(
        list, maxValue,
        "more than the format's readers can add up: larger values are written as "
        "9,223,372,036,854,775,807"));
    writeMessage(*data, os);
    return Error::success();
  }

protected:
  virtual void writeMessage(const otlp::ProfilesData &data, raw_ostream &os) const = 0;
};

class OtlpBinaryBackend : public OtlpBackend {
public:
  StringRef extension() const override { return ".otlp"; }
  bool isBinary() const override { return true; }

protected:
  void writeMessage(const otlp::ProfilesData &data, raw_ostream &os) const override {
    os << data.SerializeAsString();
  }
};

class OtlpJsonBackend : public OtlpBackend {
public:
  StringRef extension() const override { return ".otlp.json"; }
  bool isBinary() const override { return false; }

protected:
  void writeMessage(const otlp::ProfilesData &data, raw_ostream &os) const override {
    otlp::writeJson(data, os);
  }
};

warpo::Registry<ProfileBackend>::Add<OtlpBinaryBackend>
    registration("otlp",
                 "OpenTelemetry's profiles, to be sent to a collector; all weights in one file");
warpo::Registry<ProfileBackend>::Add<OtlpJsonBackend> jsonRegistration("otlp-json",
                                                                       "the same as JSON");

} // namespace
