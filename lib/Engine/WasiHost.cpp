//===- WasiHost.cpp - WASI's clocks, arguments and the like ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
// For preview 1 and its predecessor. A program that imports functions that are neither here nor in
// wasi/ (sockets, waiting) is refused when it is linked.
//
//===----------------------------------------------------------------------===//

#include "wasi/WasiCalls.h"
#include "wasi/WasiErrno.h"
#include <cerrno>
#include <sched.h>

using namespace llvm;
using namespace warpo;
using namespace warpo::wasi;

namespace {

/// Arguments and environment have the same form: an array of pointers, and the texts one after
/// another.
Errno writeSizes(HostCall &call, ArrayRef<std::string> texts) {
  size_t size = 0;
  for (const std::string &text : texts)
    size += text.size() + 1;
  return call.memory.write(call.u32(0), uint32_t(texts.size())) &&
                 call.memory.write(call.u32(1), uint32_t(size))
             ? success
             : overflow;
}

Errno writeTexts(HostCall &call, ArrayRef<std::string> texts) {
  uint64_t pointer = call.u32(0), address = call.u32(1);
  for (const std::string &text : texts) {
    auto place = call.memory.range(address, text.size() + 1);
    if (!place || !call.memory.write(pointer, uint32_t(address)))
      return overflow;
    std::copy_n(text.c_str(), text.size() + 1, place->begin());
    pointer += sizeof(uint32_t);
    address += text.size() + 1;
  }
  return success;
}

Errno writeNumber(HostCall &call, std::optional<uint64_t> number, uint32_t address) {
  if (!number)
    return invalid;
  return call.memory.write(address, *number) ? success : overflow;
}

Errno writeRandom(GuestHost &host, HostCall &call) {
  auto place = call.memory.range(call.u32(0), call.u32(1));
  if (!place)
    return overflow;
  return host.world().fillRandom(*place) ? success : errnoOf(errno);
}

} // namespace

ArrayRef<HostFunction> warpo::wasiFunctions() {
  static constexpr HostFunction functions[] = {
      WASI("args_sizes_get", "ii:i", writeSizes(call, host.arguments())),
      WASI("args_get", "ii:i", writeTexts(call, host.arguments())),
      WASI("environ_sizes_get", "ii:i", writeSizes(call, host.environment())),
      WASI("environ_get", "ii:i", writeTexts(call, host.environment())),
      WASI("clock_time_get", "ili:i",
           writeNumber(call, host.world().now(GuestClock(call.u32(0))), call.u32(2))),
      WASI("clock_res_get", "ii:i",
           writeNumber(call, host.world().resolution(GuestClock(call.u32(0))), call.u32(1))),
      WASI("random_get", "ii:i", writeRandom(host, call)),
      WASI("sched_yield", ":i", sched_yield() == 0 ? success : errnoOf(errno)),
      {"proc_exit", "i:", [](GuestHost &, HostCall &call) -> std::optional<GuestEnd> {
         return GuestEnd{int(call.u32(0)), ""};
       }}};
  return functions;
}
