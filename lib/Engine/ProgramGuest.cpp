//===- ProgramGuest.cpp ---------------------------------------------------===//

#include "ProgramGuest.h"
#include "warpo/Support/Errors.h"

using namespace llvm;
using namespace warpo;

Error ProgramGuest::open(StringRef choice) {
  auto reading = GuestReading::create(choice);
  if (!reading)
    return reading.takeError();
  reading_ = std::move(*reading);
  return Error::success();
}

Expected<uint64_t> ProgramGuest::endOfCall(std::optional<std::string> message, uint64_t result) {
  std::optional<GuestEnd> end = std::exchange(end_, std::nullopt);
  if (end && end->exitCode)
    return makeError("it ended with exit code " + Twine(*end->exitCode));
  if (message)
    return makeError("it trapped: " + (end ? end->message : *message));
  return result;
}
