//===- PlacesSet.h - Source places of modules, from files of them ---------===//
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

/// What a module's file says of where its code comes from: an instrumented one in its section
/// `warpo.places`, another one as warpo-instrument would find it.
struct PlacesFile {
  /// Fails if it says nothing.
  static llvm::Expected<PlacesFile> read(llvm::StringRef path);

  std::string path;
  /// Of the module before it was instrumented, as in RecordedModule.
  std::string hash;
  std::string buildId;
  ModulePlaces places;
  /// The names that instrumenting gives the functions, by index; empty where the places have ids.
  std::vector<std::string> names;
  /// Where there are names: the module, and its bytes.
  std::shared_ptr<const llvm::MemoryBuffer> bytes;
  std::optional<wasm::Module> module;
};

/// The files that --places-from names. A file is of the module whose hash it has. Of a module whose
/// hash the record does not have, which was sampled as it is, it is that of its build id, or of the
/// record's only module.
class PlacesSet {
public:
  static llvm::Expected<PlacesSet> read(llvm::ArrayRef<std::string> paths);

  /// Says which modules the record has, as far as that is known before it is read. Fails if no file
  /// is of any of them; returns a sentence for each further file that is of none.
  llvm::Expected<std::vector<std::string>> join(llvm::ArrayRef<RecordedModule> modules,
                                                llvm::StringRef record);
  /// Null if no file is of this module.
  const PlacesFile *of(const RecordedModule &module) const;

  /// What the module's file says of the functions that have been declared; null if that is nothing,
  /// or there is no file. Functions are looked up once they are more than twice as many as before,
  /// or all: names may come a few at a time.
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

/// The record, with its modules declared with the places of the files, in place of those that it
/// recorded. `files` have been joined with its modules. Notes if a file has none, once all has been
/// read.
std::unique_ptr<RecordReader> withPlaces(std::unique_ptr<RecordReader> record, PlacesSet files);

} // namespace warpo

#endif
