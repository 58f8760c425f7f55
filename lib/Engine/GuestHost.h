//===- GuestHost.h - Host functions of engines in this process ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Host functions, independent of the engine: WASI's (in wasi/), those that AssemblyScript imports,
// and rare calls of instrumented code. Each group is a table in its own file.
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

/// The memory of the calling instance. Addresses come from the program, so every access is checked.
class GuestMemory {
public:
  explicit GuestMemory(llvm::MutableArrayRef<uint8_t> bytes) : bytes_(bytes) {}

  /// The range, or nothing if it is out of bounds. An empty range up to the end of the memory is
  /// within bounds.
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
  /// Returns false if the address is out of bounds.
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
  /// Returns something if the program ends with this call.
  std::optional<GuestEnd> (*call)(GuestHost &host, HostCall &call);
};

/// The host of one program.
class GuestHost {
public:
  explicit GuestHost(const RunRequest &request);
  ~GuestHost();

  /// Opens the folders that the program may use. To be called before it runs.
  llvm::Error openFolders(llvm::ArrayRef<RunRequest::Directory> folders);

  /// Finds the function for an import; null if there is none here.
  static const HostFunction *find(llvm::StringRef module, llvm::StringRef name);

  /// As in C: the first argument is the program's name; variables are `NAME=value`.
  llvm::ArrayRef<std::string> arguments() const { return arguments_; }
  llvm::ArrayRef<std::string> environment() const { return environment_; }
  GuestWorld &world() { return *world_; }
  wasi::Descriptors &files() { return *files_; }
  std::optional<uint64_t> fuelLimit() const { return fuelLimit_; }
  /// This process's descriptor for one of the program's standard streams, 0 to 2.
  int standardStream(uint32_t stream) const;
  /// Writes text to a standard stream; errors are ignored, as by console.log.
  void print(uint32_t stream, llvm::StringRef text) const;

private:
  std::vector<std::string> arguments_;
  std::vector<std::string> environment_;
  std::unique_ptr<GuestWorld> world_;
  std::unique_ptr<wasi::Descriptors> files_;
  std::optional<uint64_t> fuelLimit_;
  bool outputToStderr_;
};

/// The groups of functions. Those of WASI are for arguments, clocks and the like; paths; open
/// files; and reading folders.
llvm::ArrayRef<HostFunction> wasiFunctions();
llvm::ArrayRef<HostFunction> wasiPathFunctions();
llvm::ArrayRef<HostFunction> wasiDescriptorFunctions();
llvm::ArrayRef<HostFunction> wasiDirectoryFunctions();
llvm::ArrayRef<HostFunction> assemblyScriptFunctions();
/// Host calls of instrumented code, except those that record.
llvm::ArrayRef<HostFunction> instrumentationFunctions();

} // namespace warpo

#endif
