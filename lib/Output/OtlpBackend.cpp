//===- OtlpBackend.cpp - Profiles for OpenTelemetry -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// One message, otlp/profiles.proto, as protobuf or as JSON. It is also the request that exports
// profiles, so a file can be sent to /v1development/profiles unchanged.
//
//===----------------------------------------------------------------------===//

#include "otlp/MessageJson.h"
#include "otlp/ProfilesMessage.h"
#include "profile/ReaderLimits.h"
#include "warpo/Support/Errors.h"

using namespace llvm;
using namespace warpo;

// Writer and readers keep all stacks in memory.
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
    return writeMessage(*data, os);
  }

protected:
  virtual Error writeMessage(const otlp::ProfilesData &data, raw_ostream &os) const = 0;
};

class OtlpBinaryBackend : public OtlpBackend {
public:
  StringRef extension() const override { return ".otlp"; }
  bool isBinary() const override { return true; }

protected:
  Error writeMessage(const otlp::ProfilesData &data, raw_ostream &os) const override {
    std::string bytes;
    // Protobuf rejects messages of 2 GiB and more.
    if (!data.SerializeToString(&bytes))
      return makeError("the profile has " + countOf(data.ByteSizeLong(), "byte") +
                       " as a message, of which protobuf writes no more than 2,147,483,647");
    os << bytes;
    return Error::success();
  }
};

class OtlpJsonBackend : public OtlpBackend {
public:
  StringRef extension() const override { return ".otlp.json"; }
  bool isBinary() const override { return false; }

protected:
  Error writeMessage(const otlp::ProfilesData &data, raw_ostream &os) const override {
    otlp::writeJson(data, os);
    return Error::success();
  }
};

warpo::Registry<ProfileBackend>::Add<OtlpBinaryBackend>
    registration("otlp",
                 "OpenTelemetry's profiles, to be sent to a collector; all weights in one file");
warpo::Registry<ProfileBackend>::Add<OtlpJsonBackend> jsonRegistration("otlp-json",
                                                                       "the same as JSON");

} // namespace
