//===- WabtHelper.cpp - The program warpo-wabt ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Modules to text and back, with wabt. How it is called is said in Helper.h.
//
//   assemble   text to a binary module, with its names, after validation
//   print      a binary module to text
//
//===----------------------------------------------------------------------===//

#include "HelperMain.h"

#include <wabt/apply-names.h>
#include <wabt/binary-reader-ir.h>
#include <wabt/binary-reader.h>
#include <wabt/binary-writer.h>
#include <wabt/error.h>
#include <wabt/ir.h>
#include <wabt/stream.h>
#include <wabt/validator.h>
#include <wabt/wast-lexer.h>
#include <wabt/wast-parser.h>
#include <wabt/wat-writer.h>

using warpo::helperFailed;

namespace {

constexpr size_t memory = size_t(256) << 20;

// With typed references, wabt does not accept a function's reference as `funcref`. So they are only
// enabled for modules that need them.
wabt::Features features(bool withTypedReferences) {
  wabt::Features features;
  features.EnableAll();
  if (!withTypedReferences) {
    features.disable_gc();
    features.disable_function_references();
  }
  return features;
}

void fail(const wabt::Errors &errors, const char *otherwise) {
  if (errors.empty())
    helperFailed(otherwise);
  const wabt::Error &first = errors.front();
  std::string place;
  if (first.loc.line > 0)
    place = std::to_string(first.loc.line) + ":" + std::to_string(first.loc.first_column) + ": ";
  helperFailed(place + first.message);
}

std::string contentsOf(wabt::MemoryStream &stream) {
  const std::vector<uint8_t> &data = stream.output_buffer().data;
  return std::string(data.begin(), data.end());
}

// Modules are never destroyed: the destructors of deeply nested code would overflow the stack.

wabt::Module *parse(const std::string &text, const wabt::Features &features, wabt::Errors &errors) {
  auto lexer = wabt::WastLexer::CreateBufferLexer("", text.data(), text.size(), &errors);
  wabt::WastParseOptions options(features);
  std::unique_ptr<wabt::Module> owner;
  wabt::Result result = wabt::ParseWatModule(lexer.get(), &owner, &errors, &options);
  wabt::Module *module = owner.release();
  if (wabt::Failed(result) ||
      wabt::Failed(wabt::ValidateModule(module, &errors, wabt::ValidateOptions(features))))
    return nullptr;
  return module;
}

std::string assemble(const std::string &text) {
  wabt::Errors errors, errorsWithAll;
  wabt::Module *module = parse(text, features(false), errors);
  if (!module)
    module = parse(text, features(true), errorsWithAll);
  if (!module)
    fail(errors, "not a module in the text format");
  wabt::MemoryStream stream;
  wabt::WriteBinaryOptions options(features(true), /*canonicalize_lebs=*/true,
                                   /*relocatable=*/false, /*write_debug_names=*/true);
  if (wabt::Failed(wabt::WriteBinaryModule(&stream, module, options)))
    helperFailed("the module cannot be encoded");
  return contentsOf(stream);
}

std::string print(const std::string &bytes) {
  wabt::Errors errors;
  wabt::ReadBinaryOptions options(features(true), nullptr, /*read_debug_names=*/true,
                                  /*stop_on_first_error=*/true,
                                  /*fail_on_custom_section_error=*/false);
  auto *module = new wabt::Module;
  if (wabt::Failed(wabt::ReadBinaryIr("", bytes.data(), bytes.size(), options, &errors, module)))
    fail(errors, "it cannot be read");
  if (wabt::Failed(wabt::ApplyNames(module)))
    helperFailed("its names cannot be applied");
  wabt::MemoryStream stream;
  if (wabt::Failed(wabt::WriteWat(&stream, module, wabt::WriteWatOptions())))
    helperFailed("it cannot be written");
  return contentsOf(stream);
}

} // namespace

int main(int argc, char **argv) {
  std::string command = argc == 2 ? argv[1] : "";
  if (command == "assemble")
    warpo::helperDone(assemble(warpo::helperInput(memory)));
  if (command == "print")
    warpo::helperDone(print(warpo::helperInput(memory)));
  helperFailed("usage: warpo-wabt assemble|print");
}
