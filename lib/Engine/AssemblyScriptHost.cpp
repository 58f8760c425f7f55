//===- AssemblyScriptHost.cpp - AssemblyScript's imports from `env` -------===//
// SPDX-License-Identifier: Apache-2.0

#include "GuestHost.h"
#include "llvm/Support/ConvertUTF.h"
#include <charconv>
#include <cmath>
#include <unistd.h>

using namespace llvm;
using namespace warpo;

namespace {

/// Converts UTF-16 to UTF-8; unpaired surrogates become U+FFFD.
std::string toUtf8(ArrayRef<uint8_t> bytes) {
  std::string text;
  auto unitAt = [&](size_t i) {
    return support::endian::read<uint16_t, endianness::little>(bytes.data() + i);
  };
  for (size_t i = 0; i + 2 <= bytes.size(); i += 2) {
    uint32_t character = unitAt(i);
    if (character >= 0xd800 && character < 0xe000) {
      uint32_t low = character < 0xdc00 && i + 4 <= bytes.size() ? unitAt(i + 2) : 0;
      bool pair = low >= 0xdc00 && low < 0xe000;
      character = pair ? 0x10000 + ((character - 0xd800) << 10) + (low - 0xdc00) : 0xfffd;
      i += pair ? 2 : 0;
    }
    char buffer[UNI_MAX_UTF8_BYTES_PER_CODE_POINT];
    char *end = buffer;
    ConvertCodePointToUTF8(character, end);
    text.append(buffer, end);
  }
  return text;
}

/// A string object: its length in bytes is in the four bytes before it.
std::string readString(const HostCall &call, size_t argument) {
  uint32_t pointer = call.u32(argument);
  if (pointer == 0)
    return "null";
  auto size = pointer >= 4 ? call.memory.read<uint32_t>(pointer - 4) : std::nullopt;
  auto bytes = size ? call.memory.range(pointer, *size) : std::nullopt;
  return bytes ? toUtf8(*bytes) : "(a string outside of the memory)";
}

/// Like JavaScript, for common numbers.
std::string describeNumber(double value) {
  if (std::isnan(value))
    return "NaN";
  if (std::isinf(value))
    return value < 0 ? "-Infinity" : "Infinity";
  if (value == 0)
    return "0";
  bool positional = std::fabs(value) >= 1e-6 && std::fabs(value) < 1e21;
  char text[64];
  auto end = std::to_chars(text, text + sizeof(text), value,
                           positional ? std::chars_format::fixed : std::chars_format::scientific);
  return std::string(text, end.ptr);
}

std::optional<GuestEnd> abortProgram(GuestHost &, HostCall &call) {
  std::string message = call.u32(0) ? readString(call, 0) : "abort";
  if (call.u32(1))
    message += " at " + readString(call, 1) + ":" + std::to_string(call.u32(2)) + ":" +
               std::to_string(call.u32(3));
  return GuestEnd{std::nullopt, message};
}

std::optional<GuestEnd> trace(GuestHost &host, HostCall &call) {
  std::string line = "trace: " + readString(call, 0);
  for (uint32_t i = 0; i < std::min(call.u32(1), uint32_t(5)); ++i)
    line += (i == 0 ? " " : ", ") + describeNumber(call.f64(2 + i));
  host.print(STDERR_FILENO, line + "\n");
  return std::nullopt;
}

template <uint32_t stream> std::optional<GuestEnd> printLine(GuestHost &host, HostCall &call) {
  host.print(stream, readString(call, 0) + "\n");
  return std::nullopt;
}

std::optional<GuestEnd> checkAssertion(GuestHost &host, HostCall &call) {
  if (call.u32(0) == 0)
    host.print(STDERR_FILENO, "Assertion failed: " + readString(call, 1) + "\n");
  return std::nullopt;
}

std::optional<GuestEnd> seed(GuestHost &host, HostCall &call) {
  uint8_t bytes[8] = {};
  if (!host.world().fillRandom(bytes))
    return GuestEnd{std::nullopt, "there are no random numbers for a seed"};
  // A double has 53 bits.
  call.result = bit_cast<uint64_t>(double(support::endian::read64le(bytes) >> 11));
  return std::nullopt;
}

constexpr uint64_t nanosecondsAMillisecond = 1000000;

std::optional<GuestEnd> wallTime(GuestHost &host, HostCall &call) {
  uint64_t now = host.world().now(GuestClock::wall).value_or(0);
  uint64_t milliseconds = now / nanosecondsAMillisecond; // whole ones, like Date.now()
  call.result = bit_cast<uint64_t>(double(milliseconds));
  return std::nullopt;
}

std::optional<GuestEnd> runningTime(GuestHost &host, HostCall &call) {
  uint64_t now = host.world().now(GuestClock::monotonic).value_or(0);
  call.result = bit_cast<uint64_t>(double(now) / double(nanosecondsAMillisecond));
  return std::nullopt;
}

std::optional<GuestEnd> exitProgram(GuestHost &, HostCall &call) {
  return GuestEnd{int(call.u32(0)), ""};
}

} // namespace

ArrayRef<HostFunction> warpo::assemblyScriptFunctions() {
  static constexpr HostFunction functions[] = {
      {"abort", "iiii:", abortProgram},
      {"trace", "iiddddd:", trace},
      {"seed", ":d", seed},
      {"console.log", "i:", printLine<STDOUT_FILENO>},
      {"console.info", "i:", printLine<STDOUT_FILENO>},
      {"console.debug", "i:", printLine<STDOUT_FILENO>},
      {"console.warn", "i:", printLine<STDERR_FILENO>},
      {"console.error", "i:", printLine<STDERR_FILENO>},
      {"console.assert", "ii:", checkAssertion},
      {"Date.now", ":d", wallTime},
      {"performance.now", ":d", runningTime},
      {"process.exit", "i:", exitProgram},
  };
  return functions;
}
