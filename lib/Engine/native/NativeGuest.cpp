//===- NativeGuest.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "NativeGuest.h"
#include "GuestThread.h"
#include "warpo/Support/Errors.h"

using namespace llvm;
using namespace warpo;

class NativeGuest::Silence {
public:
  explicit Silence(NativeGuest &guest) : guest_(guest), calls_(guest.host_) {
    for (auto &[_, instance] : guest.instances_) {
      warpo_native_unit &unit = instance.unit().view;
      units_.push_back({&unit, unit});
      unit.events = nullptr;
      unit.fuel_events = nullptr;
      unit.stack = nullptr;
    }
    warpo_native_host &host = guest.host_;
    host.open_begin = host.open_next = guest.aside_.open_begin;
    host.open_limit = guest.aside_.open_limit;
  }
  Silence(const Silence &) = delete;
  Silence &operator=(const Silence &) = delete;
  ~Silence() {
    guest_.host_ = calls_;
    NativeOpenCalls::endInterrupt(guest_.host_);
    if (guest_.resumes_)
      NativeOpenCalls::interrupt(guest_.host_);
    for (const auto &[unit, before] : units_)
      *unit = before;
  }

private:
  NativeGuest &guest_;
  const warpo_native_host calls_;
  SmallVector<std::pair<warpo_native_unit *, warpo_native_unit>, 2> units_;
};

StoppedInstance &NativeGuest::of(NativeUnit &unit) {
  if (instances_.empty())
    callsAside_.attach(aside_);
  return instances_.try_emplace(&unit, *this, unit).first->second;
}

MutableArrayRef<uint8_t> NativeGuest::Instance::exportedMemory(StringRef name) {
  const warpo_native_export *found = unit_.findExport(name, "m");
  if (!found)
    return {};
  uint64_t size = 0;
  uint8_t *data = unit_.code->memory_bytes(unit_.addressOf(*found), &size);
  return {data, size_t(size)};
}

bool NativeGuest::Instance::growMemory(uint32_t pages) {
  const warpo_native_export *found = unit_.findExport("memory", "m");
  return found && unit_.code->grow_memory(unit_.addressOf(*found), pages);
}

/// Kinds of 32-bit globals, and of all globals with number types.
static constexpr StringLiteral narrow = "ig", anyNumber = "igld";

std::optional<uint64_t> NativeGuest::Instance::global(StringRef name) {
  const warpo_native_export *found = unit_.findExport(name, anyNumber);
  if (!found)
    return std::nullopt;
  void *place = unit_.addressOf(*found);
  return narrow.contains(found->kind) ? *static_cast<uint32_t *>(place)
                                      : *static_cast<uint64_t *>(place);
}

bool NativeGuest::Instance::setGlobal(StringRef name, uint64_t bits) {
  const warpo_native_export *found = unit_.findExport(name, anyNumber);
  if (!found)
    return false;
  void *place = unit_.addressOf(*found);
  if (narrow.contains(found->kind))
    *static_cast<uint32_t *>(place) = uint32_t(bits);
  else
    *static_cast<uint64_t *>(place) = bits;
  return true;
}

Expected<uint64_t> NativeGuest::Instance::call(StringRef function, ArrayRef<uint64_t> arguments) {
  const warpo_native_export *found = unit_.findExport(function, "f");
  if (found) {
    const wasm::FunctionType &type = unit_.typeOf(unit_.descriptionOf(*found));
    if (!found->call || type.params.count != arguments.size() || type.results.count > 1)
      found = nullptr;
  }
  if (!found)
    return makeError("there is no function '" + function + "' of " + Twine(arguments.size()) +
                     " parameters");
  uint64_t result = 0;
  const char *message;
  GuestCallback callback(guest_.run_);
  {
    Silence silence(guest_);
    message =
        GuestThread::attempt([&] { found->call(unit_.instance.get(), arguments.data(), &result); });
  }
  return callback.end(message ? std::optional<std::string>(message) : std::nullopt, result);
}
