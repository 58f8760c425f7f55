//===- GuestHost.h - What engines in this process give to programs --------===//
// SPDX-License-Identifier: Apache-2.0
//
// Host functions without any engine's types: WASI's (files in wasi/), those that AssemblyScript
// imports, and what instrumented code asks now and then. Each group is a table in a file of its
// own.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_ENGINE_GUESTHOST_H
#define WARPO_LIB_ENGINE_GUESTHOST_H

#include "GuestWorld.h"
#include "warpo/Engine/ProgramRun.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Endian.h"

namespace warpo {

namespace wasi {
class Descriptors;
}

/// The memory of the calling instance, checked at every access: addresses are the program's.
class GuestMemory {
public:
  explicit GuestMemory(llvm::MutableArrayRef<uint8_t> bytes) : bytes_(bytes) {}

  /// The range, or nothing if it is not within the memory. Empty ranges are within.
  std::optional<llvm::MutableArrayRef<uint8_t>> range(uint64_t address, uint64_t size) const {
    if (address > bytes_.size() || size > bytes_.size() - address)
      return std::nullopt;
    return bytes_.slice(address, size);
  }
  template <typename T> std::optional<T> read(uint64_t address) const {
    auto place = range(address, sizeof(T));
    if (!place)
      return std::nullopt;
    return llvm::support::endian::read<T, llvm::endianness::little>(place->data());
  }
  /// False if the place is not within the memory.
  template <typename T> bool write(uint64_t address, T value) const {
    auto place = range(address, sizeof(T));
    if (place)
      llvm::support::endian::write<T, llvm::endianness::little>(place->data(), value);
    return place.has_value();
  }

private:
  llvm::MutableArrayRef<uint8_t> bytes_;
};

/// One call of a host function.
struct HostCall {
  /// The bits of each argument.
  llvm::ArrayRef<uint64_t> arguments;
  GuestMemory memory;
  /// The bits of the result, if the function has one.
  uint64_t result = 0;

  uint32_t u32(size_t i) const { return uint32_t(arguments[i]); }
  double f64(size_t i) const { return llvm::bit_cast<double>(arguments[i]); }
};

class GuestHost;

struct HostFunction {
  llvm::StringLiteral name;
  /// Parameters, `:`, results; i = i32, l = i64, f = f32, d = f64.
  llvm::StringLiteral type;
  /// Something if the program ends here.
  std::optional<GuestEnd> (*call)(GuestHost &host, HostCall &call);
};

/// The host of one program.
class GuestHost {
public:
  explicit GuestHost(const RunRequest &request);
  ~GuestHost();

  /// Opens the folders that the program may use: before it runs.
  llvm::Error openFolders(llvm::ArrayRef<RunRequest::Directory> folders);

  /// What an import gets; null if nothing here provides it.
  static const HostFunction *find(llvm::StringRef module, llvm::StringRef name);

  /// As a C program gets them: the first argument is the program's name; `NAME=value`.
  llvm::ArrayRef<std::string> arguments() const { return arguments_; }
  llvm::ArrayRef<std::string> environment() const { return environment_; }
  GuestWorld &world() { return *world_; }
  wasi::Descriptors &files() { return *files_; }
  std::optional<uint64_t> fuelLimit() const { return fuelLimit_; }
  /// The descriptor behind one of the program's standard streams, 0 to 2.
  int standardStream(uint32_t stream) const;
  /// Writes text to one of them; what cannot be written is dropped, as console.log does.
  void print(uint32_t stream, llvm::StringRef text) const;

private:
  std::vector<std::string> arguments_;
  std::vector<std::string> environment_;
  std::unique_ptr<GuestWorld> world_;
  std::unique_ptr<wasi::Descriptors> files_;
  std::optional<uint64_t> fuelLimit_;
  bool outputToStderr_;
};

/// The groups of functions. Of WASI's, these are for arguments, clocks and the like, paths, what is
/// open, and what lies in folders.
llvm::ArrayRef<HostFunction> wasiFunctions();
llvm::ArrayRef<HostFunction> wasiPathFunctions();
llvm::ArrayRef<HostFunction> wasiDescriptorFunctions();
llvm::ArrayRef<HostFunction> wasiDirectoryFunctions();
llvm::ArrayRef<HostFunction> assemblyScriptFunctions();
/// What instrumented code calls, but for what records.
llvm::ArrayRef<HostFunction> instrumentationFunctions();

} // namespace warpo

#endif
