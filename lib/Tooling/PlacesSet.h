//===- PlacesSet.h - Source places of modules, from files of them ----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_PLACESSET_H
#define WARPO_LIB_TOOLING_PLACESSET_H

#include "warpo/Places/ModulePlaces.h"
#include "warpo/Record/RecordFormat.h"
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

private:
  std::vector<PlacesFile> files_;
  bool isOneModule_ = true;
};

/// The places of a file for the ids of a module; null if it knows none of its functions.
std::shared_ptr<const SourcePlaces> placesFor(const PlacesFile &file, const RecordedModule &module);

/// The record, with its modules declared with the places of the files, in place of those that it
/// recorded. `files` have been joined with its modules.
std::unique_ptr<RecordReader> withPlaces(std::unique_ptr<RecordReader> record, PlacesSet files);

} // namespace warpo

#endif
