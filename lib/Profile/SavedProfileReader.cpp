//===- SavedProfileReader.cpp - Reads docs/profile-format.md --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The input may be hostile: a count is trusted only if there are bytes for it, an index only if
// there is something at it.
//
//===----------------------------------------------------------------------===//

#include "SavedProfileBytes.h"
#include "warpo/Profile/ProfileBuilder.h"
#include "warpo/Profile/SavedProfile.h"
#include "warpo/Support/ByteCursor.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace warpo;

static constexpr size_t checksumSize = 8;
// No profile has more weights than this, and each is compared with all others.
static constexpr size_t maxWeights = 256;
// A string is copied for each function that has it: a small file must not become a large profile.
static constexpr uint64_t maxText = 1 << 28;

namespace {

class Reader {
public:
  Reader(ArrayRef<uint8_t> body, uint64_t offset, uint8_t additions)
      : cursor_(body, offset), additions_(additions) {}

  Expected<Profile> read(StringRef name) {
    readStrings();
    readModules();
    readFunctions();
    readWeights();
    if (additions_ & savedPeriod)
      readPeriod();
    readContexts();
    if (cursor_.ok() && !cursor_.atEnd())
      cursor_.fail(Twine(cursor_.remaining()) + " bytes after the profile");
    if (Error error = cursor_.takeError(name))
      return error;
    return std::move(profile_);
  }

private:
  /// The length of a table whose rows take at least `rowSize` bytes.
  size_t count(StringRef what, size_t rowSize) {
    uint64_t value = cursor_.uleb64();
    if (value <= cursor_.remaining() / rowSize)
      return value;
    cursor_.fail(Twine(value) + " " + what + " do not fit the file");
    return 0;
  }

  /// An index into something of `size`; 0 if it is not one.
  uint64_t index(size_t size, StringRef what) {
    uint64_t value = cursor_.uleb64();
    if (value < size)
      return value;
    if (cursor_.ok())
      cursor_.fail("there is no " + what + " " + Twine(value) + ", of " + Twine(size));
    return 0;
  }

  std::string string() {
    uint64_t at = index(strings_.size(), "string");
    if (!cursor_.ok())
      return "";
    text_ += strings_[at].size();
    if (text_ > maxText) {
      cursor_.fail("the names take more than " + Twine(maxText) + " bytes");
      return "";
    }
    return strings_[at].str();
  }

  /// A copy costs nothing.
  SharedText sharedString() {
    uint64_t at = index(strings_.size(), "string");
    return cursor_.ok() ? shared_.get(strings_[at]) : SharedText();
  }

  void readStrings() {
    std::vector<uint64_t> sizes(count("strings", 1));
    for (uint64_t &size : sizes)
      size = cursor_.uleb64();
    for (uint64_t size : sizes)
      strings_.push_back(toStringRef(cursor_.bytes(size)));
  }

  void readModules() {
    profile_.modules.resize(count("modules", 9));
    for (ProfileModule &module : profile_.modules)
      module.name = string();
    for (ProfileModule &module : profile_.modules)
      module.id = cursor_.u64();
  }

  void readFunctions() {
    std::vector<ProfileFunction> &functions = profile_.functions;
    functions.resize(count("functions", 14));
    for (ProfileFunction &function : functions)
      function.name = string();
    for (ProfileFunction &function : functions)
      function.module = uint32_t(index(profile_.modules.size(), "module"));
    for (ProfileFunction &function : functions)
      function.kind = FunctionKind(index(size_t(FunctionKind::pseudo) + 1, "kind of function"));
    for (ProfileFunction &function : functions)
      function.id = int32_t(index(size_t(1) << 31, "id"));
    for (ProfileFunction &function : functions)
      function.file = sharedString();
    for (ProfileFunction &function : functions)
      function.line = cursor_.uleb32();
    for (ProfileFunction &function : functions)
      function.bodyHash = cursor_.u64();
    for (ProfileFunction &function : functions)
      if (additions_ & savedInlined)
        for (size_t i = count("inlined functions", 1); i > 0; --i)
          function.inlined.push_back(sharedString());
  }

  void readWeights() {
    profile_.weights.resize(count("weights", 2));
    if (profile_.weights.empty())
      cursor_.fail("the profile has no weights");
    if (profile_.weights.size() > maxWeights)
      return cursor_.fail(Twine(profile_.weights.size()) + " weights, the most are " +
                          Twine(maxWeights));
    for (size_t i = 0; i < profile_.weights.size(); ++i) {
      profile_.weights[i].name = string();
      if (cursor_.ok() && profile_.findWeight(profile_.weights[i].name) != i)
        cursor_.fail("the weight '" + profile_.weights[i].name + "' has been given before");
    }
    for (ProfileWeight &weight : profile_.weights)
      weight.unit = string();
  }

  void readPeriod() {
    SamplePeriod &period = profile_.samplePeriod.emplace();
    period.name = string();
    period.unit = string();
    period.amount = cursor_.uleb64();
  }

  void readContexts() {
    size_t contexts = count("contexts", 2 + profile_.weights.size());
    std::vector<uint64_t> ups(contexts);
    for (uint64_t &up : ups)
      up = cursor_.uleb64();
    for (ProfileWeight &weight : profile_.weights)
      weight.self = {0};
    ProfileBuilder builder(std::move(profile_));
    // The stack of the context before, outermost first.
    std::vector<NodeIndex> stack{ContextTree::root};
    for (size_t i = 0; i < contexts && cursor_.ok(); ++i) {
      FunctionIndex function = FunctionIndex(index(builder.profile().functions.size(), "function"));
      if (!cursor_.ok())
        break;
      if (ups[i] >= stack.size())
        return cursor_.fail("context " + Twine(i) + " is called from above the host");
      stack.resize(stack.size() - ups[i]);
      size_t before = builder.profile().tree.size();
      stack.push_back(builder.child(stack.back(), function));
      if (builder.profile().tree.size() == before)
        return cursor_.fail("context " + Twine(i) + " has been given before");
    }
    profile_ = builder.take();
    for (ProfileWeight &weight : profile_.weights)
      for (NodeIndex node = 1; node < profile_.tree.size(); ++node)
        weight.self[node] = cursor_.uleb64();
  }

  ByteCursor cursor_;
  /// Bits of the version.
  uint8_t additions_;
  std::vector<StringRef> strings_;
  SharedTexts shared_;
  /// Bytes of the strings that were taken.
  uint64_t text_ = 0;
  Profile profile_;
};

class SavedProfileFormat : public ProfileFormat {
public:
  bool sniff(ArrayRef<uint8_t> start) const override {
    return toStringRef(start).starts_with(savedProfileMagic);
  }

  Expected<Profile> read(ArrayRef<uint8_t> bytes, StringRef name) override {
    size_t headerSize = savedProfileMagic.size() + 1;
    if (!sniff(bytes))
      return fileError(name, "not a saved profile");
    if (bytes.size() < headerSize + checksumSize)
      return offsetError(name, bytes.size(), "the profile ends too early");
    unsigned version = bytes[headerSize - 1];
    if (version < firstSavedProfileVersion || version > lastSavedProfileVersion)
      return offsetError(name, headerSize - 1,
                         "version " + Twine(version) + " of saved profiles is not known (known: " +
                             Twine(unsigned(firstSavedProfileVersion)) + " to " +
                             Twine(unsigned(lastSavedProfileVersion)) + ")");
    ArrayRef<uint8_t> checked = bytes.drop_back(checksumSize);
    if (ByteCursor(bytes.take_back(checksumSize)).u64() != xxh3_64bits(checked))
      return offsetError(name, checked.size(), "the checksum is wrong: the profile is damaged");
    return Reader(checked.drop_front(headerSize), headerSize,
                  uint8_t(version - firstSavedProfileVersion))
        .read(name);
  }
};

warpo::Registry<ProfileFormat>::Add<SavedProfileFormat>
    registration("warpo-profile", "a call tree that warpo-flamegraph has saved");

} // namespace
