//===- GuestReading.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "GuestReading.h"
#include "warpo/Support/Utf8.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace warpo;

/// The most bytes of a name in a record.
static constexpr size_t mostBytes = 1024;
/// The cost of a sample grows with its frames.
static constexpr size_t mostFrames = 2048;

Expected<std::unique_ptr<GuestReading>> GuestReading::create(StringRef choice) {
  if (choice != "auto" && choice != "none")
    if (auto reader = warpo::Registry<GuestStack>::create(choice); !reader)
      return reader.takeError();
  return std::unique_ptr<GuestReading>(new GuestReading(choice));
}

Error GuestReading::choose(const wasm::Module &module) {
  if (choice_ == "none")
    return Error::success();
  auto known = warpo::Registry<GuestStack>::entries();
  if (!known)
    return known.takeError();
  for (const RegistryEntryInfo &entry : *known) {
    if (choice_ != "auto" && choice_ != entry.name)
      continue;
    auto reader = warpo::Registry<GuestStack>::create(entry.name);
    if (!reader)
      return reader.takeError();
    if ((*reader)->suits(module)) {
      reader_ = std::move(*reader);
      break;
    }
  }
  return Error::success();
}

void GuestReading::offer(const wasm::Module &module, StringRef path, StoppedInstance &instance) {
  if (reader_ || !failure_.empty())
    return;
  path_ = path.str();
  instance_ = &instance;
  Error error = choose(module);
  if (!error && reader_)
    error = reader_->prepare(module, instance);
  if (!error)
    return;
  fail(std::move(error));
  chances_ = 0;
}

void GuestReading::complain(StringRef problem, const Twine &detail) {
  auto [place, isNew] = problems_.try_emplace(problem.str());
  if (isNew)
    place->second.firstDetail = detail.str();
  ++place->second.samples;
}

void GuestReading::clean(std::vector<std::string> &names, bool isCut) {
  erase_if(names, [](const std::string &name) { return name.empty(); });
  if (names.size() > mostFrames) {
    complain("it has too many frames",
             Twine(names.size()) + ", and " + Twine(mostFrames) + " are kept");
    names.resize(mostFrames);
    isCut = true;
  }
  const std::string *notText = nullptr;
  size_t longest = 0;
  for (std::string &name : names) {
    if (!json::isUTF8(name)) {
      name = json::fixUTF8(name);
      notText = notText ? notText : &name;
    }
    longest = std::max(longest, name.size());
    if (name.size() > mostBytes)
      name = takeCharacters(name, mostBytes).str();
  }
  if (notText)
    complain("a name is not UTF-8", "'" + *notText + "'");
  if (longest > mostBytes)
    complain("a name is too long",
             Twine(longest) + " bytes, and " + Twine(mostBytes) + " are kept");
  if (isCut)
    names.push_back(framesLeftOut.str());
}

ArrayRef<std::string> GuestReading::read() {
  frames_.clear();
  if (!reader_)
    return frames_;
  ++samples_;
  if (chances_ == 0) {
    ++unread_;
    return frames_;
  }
  GuestFrames found;
  if (Error error = reader_->read(*instance_, found)) {
    fail(std::move(error));
    ++unread_;
    --chances_;
    return frames_;
  }
  if (!found.problem.empty())
    complain(found.problem, found.detail);
  clean(found.names, found.isCut);
  frames_.assign(found.names.rbegin(), found.names.rend());
  return frames_;
}

void GuestReading::fail(Error error) {
  std::string why = toString(std::move(error));
  if (failure_.empty())
    failure_ = std::move(why);
}

std::vector<std::string> GuestReading::problems() const {
  if (!reader_ && failure_.empty() && choice_ != "auto" && choice_ != "none")
    return {"no module of the program has a guest stack '" + choice_ + "'"};
  std::vector<std::string> messages;
  std::string place = path_ + ": guest stack: ";
  for (const auto &[what, problem] : problems_)
    messages.push_back((place + what + " (in " + Twine(problem.samples) + " of " + Twine(samples_) +
                        " samples, the first: " + problem.firstDetail + ")")
                           .str());
  if (!failure_.empty())
    messages.push_back((place + failure_ + " (it is missing in " + Twine(unread_) + " of " +
                        Twine(samples_) + " samples)")
                           .str());
  return messages;
}
