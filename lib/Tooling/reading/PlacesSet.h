//===- PlacesSet.h - Source locations of modules from files ---------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_PLACESSET_H
#define WARPO_LIB_TOOLING_PLACESSET_H

#include "warpo/Places/ModulePlaces.h"
#include "warpo/Record/RecordFormat.h"
#include "warpo/Wasm/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace warpo {

/// Source locations from a module's file: for an instrumented module from its section
/// `warpo.places`, for another one as warpo-instrument would find them.
struct PlacesFile {
  /// Fails if the file has none.
  static llvm::Expected<PlacesFile> read(llvm::StringRef path);

  std::string path;
  /// The original module's, as in RecordedModule.
  std::string hash;
  std::string buildId;
  ModulePlaces places;
  /// The names that instrumenting gives to functions, by index; empty if the locations have ids.
  std::vector<std::string> names;
  /// The module and its bytes, if there are names.
  std::shared_ptr<const llvm::MemoryBuffer> bytes;
  std::optional<wasm::Module> module;
};

/// The files given by --places-from. A file belongs to the module with its hash. If the record has
/// no hash for a module, which was sampled uninstrumented, its file is the one with its build id,
/// or any file if it is the record's only module.
class PlacesSet {
public:
  static llvm::Expected<PlacesSet> read(llvm::ArrayRef<std::string> paths);

  /// Sets the modules of the record, as far as known before reading. Fails if no file belongs to
  /// any of them; otherwise returns a sentence for each file without a module.
  llvm::Expected<std::vector<std::string>> join(llvm::ArrayRef<RecordedModule> modules,
                                                llvm::StringRef record);
  /// The module's file, or null.
  const PlacesFile *of(const RecordedModule &module) const;

  /// The locations of the declared functions from the module's file; null if there are none, or no
  /// file. Functions are only looked up when their number has more than doubled, or if `areAll`, as
  /// names may be declared a few at a time.
  std::shared_ptr<const SourcePlaces> placesOf(const RecordedModule &module, bool areAll);

private:
  struct Placed {
    std::shared_ptr<const SourcePlaces> places;
    size_t functions = 0;
  };

  std::vector<PlacesFile> files_;
  bool isOneModule_ = true;
  /// By the module's id.
  std::map<uint64_t, Placed> placed_;
};

/// A reader that declares the modules of `record` with the locations of the files instead of the
/// recorded ones. `files` must have been joined with its modules. At the end, notes files that had
/// no locations.
std::unique_ptr<RecordReader> withPlaces(std::unique_ptr<RecordReader> record, PlacesSet files);

} // namespace warpo

#endif
