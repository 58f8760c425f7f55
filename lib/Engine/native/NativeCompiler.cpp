//===- NativeCompiler.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "NativeCompiler.h"
#include "CommandRun.h"
#include "CounterExports.h"
#include "DeadHandlers.h"
#include "GlueWriter.h"
#include "SampledSource.h"
#include "SourceSplitter.h"
#include "TranslatorLimits.h"
#include "warpo/Support/ChildProcess.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/OutputFile.h"
#include "warpo/Support/Version.h"
#include "warpo/Toolchain/Helper.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

using namespace llvm;
using namespace warpo;

/// The supported version of wasm2c: names, structs and the runtime's functions change with each
/// version.
static constexpr StringLiteral knownTranslator = "1.0.32";

/// Flags with which wasm2c's C keeps WebAssembly's semantics: calls stay calls, so that an endless
/// recursion exhausts the stack; floats are computed as written; the frames of the stack are
/// touched in order, so that the guard below is hit.
static constexpr StringLiteral compilerFlags[] = {"-O1",
                                                  "-w",
                                                  "-fPIC",
                                                  "-DNDEBUG",
                                                  "-std=gnu11",
                                                  "-fvisibility=hidden",
                                                  "-fno-optimize-sibling-calls",
                                                  "-frounding-math",
                                                  "-ffp-contract=off",
                                                  "-fstack-clash-protection",
                                                  "-fno-strict-aliasing"};

/// For code whose stacks are read: CodeTables are made from the debug information that these add.
/// They do not change the code. Flags that move code can slow a loop by a third.
static constexpr StringLiteral tableFlags[] = {"-g1", "-fasynchronous-unwind-tables"};

/// All flags for the compiler.
static std::vector<std::string> flagsFor(const NativeUnit &unit) {
  std::vector<std::string> flags(std::begin(compilerFlags), std::end(compilerFlags));
  if (unit.needsTables())
    flags.insert(flags.end(), std::begin(tableFlags), std::end(tableFlags));
  return flags;
}

static constexpr size_t compilersAtOnce = 2;

/// Bytes of C in one file, which take the compiler a few seconds and some hundred megabytes of
/// memory.
static constexpr size_t sourcePartSize = size_t(1) << 20;

static Expected<std::string> findTranslator() {
  auto found = sys::findProgramByName("wasm2c");
  if (!found)
    return makeError("engine native needs wabt's wasm2c, and there is no program 'wasm2c' on the "
                     "PATH; try --engine=node");
  return std::move(*found);
}

static Expected<std::string> findCompiler() {
  for (StringRef name : {"cc", "gcc", "clang"})
    if (auto found = sys::findProgramByName(name))
      return std::move(*found);
  return makeError("engine native needs a C compiler, and there is no program 'cc', 'gcc' or "
                   "'clang' on the PATH; try --engine=node");
}

bool NativeCompiler::isInstalled() {
  auto translator = findTranslator(), compiler = findCompiler();
  bool installed = translator && compiler;
  consumeError(translator.takeError());
  consumeError(compiler.takeError());
  return installed;
}

Expected<NativeCompiler> NativeCompiler::create() {
  auto translator = findTranslator();
  if (!translator)
    return translator.takeError();
  auto compiler = findCompiler();
  if (!compiler)
    return compiler.takeError();
  auto runtime = findInstalledFile("share/warpo/native");
  if (!runtime)
    return runtime.takeError();
  auto cache = NativeCache::open();
  if (!cache)
    return cache.takeError();
  NativeCompiler result(std::move(*cache));
  result.translator_ = std::move(*translator);
  result.compiler_ = std::move(*compiler);
  result.runtime_ = std::move(*runtime);
  return result;
}

namespace {

/// A hash of texts, each with its size.
class KeyBuilder {
public:
  void add(StringRef text) {
    uint64_t size = text.size();
    hasher_.update(ArrayRef(reinterpret_cast<const uint8_t *>(&size), sizeof(size)));
    hasher_.update(text);
  }
  /// Identifies a program by its path, size and time: cheaper than asking for its version at each
  /// run.
  Error addProgram(StringRef path) {
    SmallString<128> real;
    sys::fs::file_status status;
    std::error_code code = sys::fs::real_path(path, real);
    if (!code)
      code = sys::fs::status(real, status);
    if (code)
      return fileError(path, code);
    add(real);
    add(std::to_string(status.getSize()) + " " +
        std::to_string(sys::toTimeT(status.getLastModificationTime())));
    return Error::success();
  }
  Error addFile(StringRef path) {
    auto file = MemoryBuffer::getFile(path);
    if (!file)
      return fileError(path, file.getError());
    add((*file)->getBuffer());
    return Error::success();
  }
  std::string finish() { return toHex(hasher_.final<16>(), /*LowerCase=*/true); }

private:
  BLAKE3 hasher_;
};

} // namespace

Expected<std::string> NativeCompiler::keyOf(const NativeUnit &unit, StringRef imports,
                                            StringRef exports) const {
  KeyBuilder key;
  key.add(WARPO_VERSION_STRING);
  for (StringRef flag : flagsFor(unit))
    key.add(flag);
  for (StringRef program : {translator_, compiler_})
    if (Error error = key.addProgram(program))
      return error;
  std::vector<std::string> files;
  std::error_code code;
  for (sys::fs::recursive_directory_iterator at(runtime_, code), end; !code && at != end;
       at.increment(code))
    if (sys::fs::is_regular_file(at->path()))
      files.push_back(at->path());
  if (code)
    return fileError(runtime_, code);
  llvm::sort(files);
  for (StringRef file : files)
    if (Error error = key.addFile(file))
      return error;
  key.add(imports);
  key.add(exports);
  key.add(toStringRef(unit.module.bytes));
  return key.finish();
}

static Error writeFile(StringRef path, StringRef contents) {
  return writeOutput(path, [&](raw_ostream &os) {
    os << contents;
    return Error::success();
  });
}

Error NativeCompiler::checkTranslator(const BuildFolder &folder) const {
  auto results = runCommands({{translator_, {"--version"}, folder.file("version.txt")}}, 1);
  if (!results)
    return results.takeError();
  const std::string &version = results->front().words;
  if (version != knownTranslator)
    return fileError(translator_, "engine native knows the C of wasm2c " + knownTranslator +
                                      ", and this is '" + version + "'; try --engine=node");
  return Error::success();
}

Error NativeCompiler::translate(const NativeUnit &unit, const BuildFolder &folder) const {
  auto module = exportCounters(unit);
  if (!module)
    return module.takeError();
  if (Error error = removeDeadHandlers(*module, unit.path))
    return error;
  if (Error error = writeFile(folder.file("module.wasm"), toStringRef(ArrayRef<uint8_t>(*module))))
    return error;
  auto results = runCommands(
      {{translator_,
        {"--no-debug-names", "--enable-multi-memory", "--module-name=" + nativeModuleName.str(),
         "-o", folder.file("module.c"), folder.file("module.wasm")},
        folder.file("wasm2c.txt")}},
      1);
  if (!results)
    return results.takeError();
  if (!results->front().succeeded)
    return fileError(unit.path, "wasm2c cannot translate this module: " + results->front().words +
                                    adviseAfterRefusal(unit.module));
  return Error::success();
}

Error NativeCompiler::build(const NativeUnit &unit, const BuildFolder &folder) const {
  std::vector<std::string> flags = flagsFor(unit);
  flags.insert(flags.end(), {"-I" + runtime_, "-I" + runtime_ + "/include"});
  std::vector<CommandRun> runs;
  std::vector<std::string> objects;
  auto compileFile = [&](const std::string &source, StringRef object, bool seesImports) {
    objects.push_back(folder.file(object));
    CommandRun &run = runs.emplace_back();
    run.program = compiler_;
    run.arguments = flags;
    if (seesImports)
      run.arguments.insert(run.arguments.end(), {"-include", folder.file("imports.h")});
    run.arguments.insert(run.arguments.end(), {"-c", source, "-o", objects.back()});
    run.output = objects.back() + ".txt";
  };
  auto source = MemoryBuffer::getFile(folder.file("module.c"));
  if (!source)
    return fileError(folder.file("module.c"), source.getError());
  StringRef text = (*source)->getBuffer();
  if (auto point = exportOfCounter(unit, wasm::Counter::sampleDue);
      point && !unit.indexOf(wasm::Counter::fuel)) {
    auto header = MemoryBuffer::getFile(folder.file("module.h"));
    if (!header)
      return fileError(folder.file("module.h"), header.getError());
    auto marked = markSamplePoint((*header)->getBuffer(), text, *point);
    if (!marked)
      return fileError(unit.path, toString(marked.takeError()));
    if (Error error = writeFile(folder.file("module.h"), *marked))
      return error;
  }
  for (auto [i, part] : enumerate(splitSource(text, sourcePartSize))) {
    std::string name = "part" + std::to_string(i);
    if (Error error = writeFile(folder.file(name + ".c"), part))
      return error;
    compileFile(folder.file(name + ".c"), name + ".o", true);
  }
  compileFile(folder.file("exports.c"), "exports.o", true);
  compileFile(runtime_ + "/runtime.c", "runtime.o", false);

  auto results = runCommands(runs, compilersAtOnce);
  if (!results)
    return results.takeError();
  CommandRun link{compiler_, {"-shared", "-o", folder.file("module.so")}, folder.file("link.txt")};
  link.arguments.insert(link.arguments.end(), objects.begin(), objects.end());
  link.arguments.push_back("-lm");
  if (all_of(*results, [](const CommandResult &result) { return result.succeeded; })) {
    results = runCommands({link}, 1);
    if (!results)
      return results.takeError();
  }
  for (const CommandResult &result : *results)
    if (!result.succeeded)
      return fileError(unit.path, compiler_ + " cannot compile wasm2c's output for this module: " +
                                      result.words + "; try --engine=node");
  return Error::success();
}

/// Returns the encoded CodeTables of the shared object in the folder.
static Expected<std::string> makeTables(const NativeUnit &unit, const BuildFolder &folder) {
  auto source = MemoryBuffer::getFile(folder.file("module.c"));
  if (!source)
    return fileError(folder.file("module.c"), source.getError());
  auto functions = functionsOf((*source)->getBuffer(), unit.module.bodies.size());
  if (!functions)
    return fileError(unit.path, toString(functions.takeError()));
  auto end =
      runHelper("warpo-native-tables",
                {folder.file("module.so"), std::to_string(unit.module.importedFunctionCount())},
                join(*functions, "\n"));
  if (!end)
    return end.takeError();
  if (end->exitCode != 0)
    return fileError(unit.path, "the debug information of its machine code cannot be read: " +
                                    end->words + "; try --engine=node");
  return std::move(end->result);
}

static Expected<CodeTables> loadTables(StringRef path, const wasm::Module &module) {
  auto file = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return fileError(path, file.getError());
  auto tables = CodeTables::decode((*file)->getBuffer(), module.functionCount());
  if (!tables)
    return fileError(path, toString(tables.takeError()));
  return tables;
}

Expected<CompiledModule> NativeCompiler::compile(const NativeUnit &unit,
                                                 function_ref<void()> onNew) const {
  if (Error error = checkNamesInComments(unit.module))
    return error;
  if (Error error = checkGlobals(unit.module))
    return error;
  NativeGlue glue = writeGlue(unit);
  auto key = keyOf(unit, glue.imports, glue.exports);
  if (!key)
    return key.takeError();
  std::string path = cache_.pathOf(*key);
  std::string tablesPath = unit.needsTables() ? cache_.tablesOf(*key) : "";
  auto take = [&](bool isNew) -> Expected<CompiledModule> {
    if (tablesPath.empty())
      return CompiledModule{path, isNew, {}};
    auto tables = loadTables(tablesPath, unit.module);
    if (!tables)
      return tables.takeError();
    return CompiledModule{path, isNew, std::move(*tables)};
  };
  if (sys::fs::exists(path) && (tablesPath.empty() || sys::fs::exists(tablesPath)))
    return take(/*isNew=*/false);
  onNew();
  cache_.prune();
  auto folder = BuildFolder::create(cache_);
  if (!folder)
    return folder.takeError();
  if (Error error = checkTranslator(*folder))
    return error;
  if (Error error = translate(unit, *folder))
    return error;
  if (Error error = writeFile(folder->file("imports.h"), glue.imports))
    return error;
  if (Error error = writeFile(folder->file("exports.c"), glue.exports))
    return error;
  if (Error error = build(unit, *folder))
    return error;
  if (!tablesPath.empty()) {
    auto tables = makeTables(unit, *folder);
    if (!tables)
      return tables.takeError();
    if (Error error = writeFile(folder->file("module.tables"), *tables))
      return error;
    if (std::error_code code = sys::fs::rename(folder->file("module.tables"), tablesPath))
      return fileError(tablesPath, code);
  }
  // Other processes may build the same module; the last one replaces the file by an equivalent one.
  if (std::error_code code = sys::fs::rename(folder->file("module.so"), path))
    return fileError(path, code);
  return take(/*isNew=*/true);
}
