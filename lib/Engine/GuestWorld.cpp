//===- GuestWorld.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "GuestWorld.h"
#include "ClockTimes.h"
#include "llvm/Support/Endian.h"
#include <algorithm>
#include <cerrno>
#include <iterator>
#include <sys/random.h>

using namespace llvm;
using namespace warpo;

GuestWorld::~GuestWorld() = default;

namespace {

class MachineWorld : public GuestWorld {
public:
  std::optional<uint64_t> now(GuestClock clock) override { return ask(clock, clock_gettime); }
  std::optional<uint64_t> resolution(GuestClock clock) override { return ask(clock, clock_getres); }

  bool fillRandom(MutableArrayRef<uint8_t> bytes) override {
    while (!bytes.empty()) {
      ssize_t got = getrandom(bytes.data(), bytes.size(), 0);
      if (got < 0 && errno != EINTR)
        return false;
      bytes = bytes.drop_front(size_t(std::max<ssize_t>(got, 0)));
    }
    return true;
  }

  bool showsStreams() const override { return true; }

private:
  static std::optional<uint64_t> ask(GuestClock clock, int (*call)(clockid_t, timespec *)) {
    constexpr clockid_t clocks[] = {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID,
                                    CLOCK_THREAD_CPUTIME_ID};
    timespec time;
    if (size_t(clock) >= std::size(clocks) || call(clocks[size_t(clock)], &time) != 0)
      return std::nullopt;
    return nanosecondsOf(time);
  }
};

class FixedWorld : public GuestWorld {
public:
  std::optional<uint64_t> now(GuestClock clock) override {
    if (clock > GuestClock::thread)
      return std::nullopt;
    time_ += step;
    return clock == GuestClock::wall ? wallStart + time_ : time_;
  }
  std::optional<uint64_t> resolution(GuestClock clock) override {
    return clock > GuestClock::thread ? std::nullopt : std::optional(step);
  }

  bool fillRandom(MutableArrayRef<uint8_t> bytes) override {
    while (!bytes.empty()) {
      uint8_t number[8];
      support::endian::write64le(number, nextRandom());
      size_t size = std::min(bytes.size(), sizeof(number));
      std::copy_n(number, size, bytes.begin());
      bytes = bytes.drop_front(size);
    }
    return true;
  }

  bool showsStreams() const override { return false; }

private:
  static constexpr uint64_t step = 1000000;
  static constexpr uint64_t wallStart = uint64_t(1000000000) * 1000000000;

  uint64_t nextRandom() {
    uint64_t mixed = state_ += 0x9e3779b97f4a7c15;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    return mixed ^ (mixed >> 31);
  }

  uint64_t time_ = 0;
  uint64_t state_ = 0;
};

} // namespace

std::unique_ptr<GuestWorld> GuestWorld::ofMachine() { return std::make_unique<MachineWorld>(); }
std::unique_ptr<GuestWorld> GuestWorld::fixed() { return std::make_unique<FixedWorld>(); }
