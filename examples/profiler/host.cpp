// SPDX-License-Identifier: Apache-2.0
// Profiles a program that wasm2c has made C of; what host.c does, in C++.
//
// usage: host-cpp traced.wasm
#include "app.h"
#include "warpo/Profiler/Profiler.h"
#include "wasm-rt-impl.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace warpo;

/// What wasm2c's functions pass to the imports of `builtin`.
struct Z_builtin_instance_t {
  ProfiledInstance &instance;
};

extern "C" {
void Z_builtinZ_enterFrame(Z_builtin_instance_t *builtin, u32 id) {
  builtin->instance.enterFrame(int32_t(id));
}
void Z_builtinZ_leaveFrame(Z_builtin_instance_t *builtin, u32 id) {
  builtin->instance.leaveFrame(int32_t(id));
}
u64 Z_builtinZ_sample(Z_builtin_instance_t *builtin, u64 fuel) {
  return u64(builtin->instance.sample(int64_t(fuel)));
}
}

static llvm::Error profileApp(llvm::StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return llvm::createFileError(path, file.getError());
  auto instance =
      ProfiledInstance::create(llvm::arrayRefFromStringRef((*file)->getBuffer()), "app.wasm");
  if (!instance)
    return instance.takeError();

  Z_builtin_instance_t builtin = {**instance};
  static Z_app_instance_t app;
  wasm_rt_init();
  Z_app_init_module();
  Z_app_instantiate(&app, &builtin);
  (*instance)->setSamplePoint(Z_appZ___warpo_sample_due(&app));

  auto profile = Profiler(**instance).everyFuel(1000).weightUnit(WeightUnit::Samples).profile([&] {
    Z_appZ_run(&app, 10000);
  });
  if (!profile)
    return profile.takeError();
  return profile->write("folded", llvm::outs());
}

int main(int argc, char **argv) {
  if (llvm::Error error = profileApp(argc == 2 ? argv[1] : "traced.wasm")) {
    llvm::errs() << "host-cpp: " << llvm::toString(std::move(error)) << '\n';
    return 1;
  }
}
