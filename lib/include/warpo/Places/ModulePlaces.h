//===- ModulePlaces.h - Where the code of a module comes from -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// What docs/source-places.md describes, in memory and as bytes. Offsets are bytes from the
// beginning of the code section's contents, as in DWARF.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_PLACES_MODULEPLACES_H
#define WARPO_PLACES_MODULEPLACES_H

#include "warpo/Places/CodeMap.h"
#include "warpo/Support/CallKind.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpo {

/// Of files, of names and of functions.
inline constexpr uint32_t maxPlaceItems = 1 << 20;
/// Of a map of code.
inline constexpr uint32_t maxCodeRuns = 1 << 22;
/// How many calls may lie in each other.
inline constexpr uint32_t maxInlinedDepth = 255;

/// A function that was inlined somewhere, where it was declared. In all structs here, names, files
/// and inlinees are numbers from 1, and 0 says that one is unknown; so does line 0.
struct Inlinee {
  uint32_t name = 0;
  uint32_t file = 0;
  uint32_t line = 0;
};

/// A call that was replaced by the code of its callee.
struct InlinedCall {
  /// The call in whose code it stands, a number from 1; 0: that of the function itself.
  uint32_t around = 0;
  uint32_t inlinee = 0;
  /// Where the call is.
  uint32_t file = 0;
  uint32_t line = 0;
  uint32_t column = 0;
  /// As in CodeDiscriminator.
  uint32_t discriminator = 0;
};

/// From this offset on the code is of this call; 0: of the function itself.
struct CallChange {
  uint32_t offset = 0;
  uint32_t call = 0;
};

/// From this offset on the code is of this line.
struct LineRow {
  uint32_t offset = 0;
  uint32_t file = 0;
  uint32_t line = 0;
};

/// From this offset on, the code has this discriminator, a number of DWARF that distinguishes
/// pieces of code on one line. 0 before the first one.
struct CodeDiscriminator {
  uint32_t offset = 0;
  uint32_t value = 0;
};

/// What an instruction calls.
class CallTarget {
public:
  /// Any function that a reference can be made of, or that the host can call.
  static CallTarget openFunctions() { return CallTarget(0); }
  /// Functions without trace points, from where any function may be reached.
  static CallTarget anyFunction() { return CallTarget(1); }
  /// The function with this id; `isOpen`: it is one of openFunctions().
  static CallTarget function(int32_t id, bool isOpen) {
    return CallTarget(2 * (idOffset(id) + 1) + isOpen);
  }
  /// From number(); none for what is no target.
  static std::optional<CallTarget> fromNumber(uint32_t number) {
    if (number / 2 > idOffset(INT32_MAX) + 1)
      return std::nullopt;
    return CallTarget(number);
  }

  uint32_t number() const { return number_; }
  /// 0 if it is not a certain one.
  int32_t id() const { return number_ < 2 ? 0 : firstFunctionId - 1 + int32_t(number_ / 2); }
  bool isOpen() const { return number_ & 1; }
  bool isAny() const { return number_ == 1; }
  bool operator==(const CallTarget &) const = default;

private:
  explicit CallTarget(uint32_t number) : number_(number) {}
  uint32_t number_;
};

/// A call that stands in the code.
struct CallInCode {
  /// Of its instruction.
  uint32_t offset = 0;
  CallTarget target = CallTarget::openFunctions();
};

/// A function that something is known of.
struct FunctionPlaces {
  /// In the module.
  uint32_t index = 0;
  /// Of its trace points, 0 if it has none.
  int32_t id = 0;
  /// Its linkage name, and where it was declared.
  uint32_t name = 0;
  uint32_t file = 0;
  uint32_t line = 0;
  /// Its body, from the local declarations on.
  uint32_t start = 0;
  uint32_t size = 0;
  /// Each stands behind the call around it.
  std::vector<InlinedCall> calls;
  /// Both rise by offset, and lie in the body.
  std::vector<CallChange> changes;
  std::vector<LineRow> rows;
  /// The same. Not part of the bytes, nor are those of calls.
  std::vector<CodeDiscriminator> discriminators;
  /// Rising by offset, at which there may be several, and in the body. Empty if none are known.
  std::vector<CallInCode> sites;
  /// What the instructions cost that are of each call itself, by its number; 0: the function. Empty
  /// if nothing was inlined, or that is unknown.
  std::vector<uint32_t> costs;
};

struct ModulePlaces {
  /// What they were read from: the name of a locator.
  std::string origin;
  /// The offset in the file that offsets count from.
  uint32_t code = 0;
  std::vector<std::string> files;
  std::vector<std::string> names;
  std::vector<Inlinee> inlinees;
  /// Rising by index.
  std::vector<FunctionPlaces> functions;
  /// Functions of the source whose code the linker has dropped. Not part of the bytes.
  std::vector<Inlinee> dropped;
  /// The way to the original's offsets from those of the instrumented module; without runs if it is
  /// not known.
  CodeMap map;
  /// What could not be read, for people. Not part of the bytes.
  std::vector<std::string> problems;

  llvm::StringRef file(uint32_t number) const {
    return number ? llvm::StringRef(files[number - 1]) : llvm::StringRef();
  }
  llvm::StringRef name(uint32_t number) const {
    return number ? llvm::StringRef(names[number - 1]) : llvm::StringRef();
  }
};

/// A function at a place of its code.
struct SourceFrame {
  /// Its linkage name; empty: the name that the module has for it, or none is known.
  llvm::StringRef function;
  llvm::StringRef file;
  uint32_t line = 0;
  /// Of a call; the innermost frame has none.
  uint32_t column = 0;
  /// Where the function was declared, in a file of its own.
  llvm::StringRef startFile;
  uint32_t startLine = 0;
};

/// A place in the code of a call that was inlined; call 0: of the function itself.
struct CodePlace {
  uint32_t call = 0;
  uint32_t file = 0;
  uint32_t line = 0;
  /// Of a call; the innermost place has none.
  uint32_t column = 0;
};

/// The places of an offset in a function, innermost first: the last one is that in the function
/// itself.
llvm::SmallVector<CodePlace, 4> placesAt(const FunctionPlaces &function, uint64_t offset);

/// The function whose body has the offset; null if none is known.
const FunctionPlaces *functionAt(const ModulePlaces &places, uint64_t offset);

/// The frames of an offset, innermost first; none if it lies in no function that is known.
llvm::SmallVector<SourceFrame, 4> locate(const ModulePlaces &places, uint64_t offset);

/// Whether lines are wanted, which take most of the memory.
enum class PlaceLines : uint8_t { leftOut, read };

/// How large the parts are that `contents` are unpacked to, as they say; 0 if they say nothing
/// sensible; none if they are of a version that is not known.
std::optional<uint32_t> placePartsSize(llvm::ArrayRef<uint8_t> contents);

/// The parts of `places`, without the frame around them.
llvm::SmallVector<uint8_t, 0> encodePlaceParts(const ModulePlaces &places);
/// Checks all that ModulePlaces and its members promise. `origin` is for error texts.
llvm::Expected<ModulePlaces> decodePlaceParts(llvm::ArrayRef<uint8_t> bytes, llvm::StringRef file,
                                              PlaceLines lines = PlaceLines::read);

struct EncodedPlaces {
  llvm::SmallVector<uint8_t, 0> bytes;
  /// The parts that are left out since all would be too large: "lines".
  std::vector<llvm::StringRef> leftOut;
};
/// The contents of the section.
EncodedPlaces encodePlaces(ModulePlaces places);
llvm::Expected<ModulePlaces> decodePlaces(llvm::ArrayRef<uint8_t> contents, llvm::StringRef file,
                                          PlaceLines lines = PlaceLines::read);

} // namespace warpo

#endif
