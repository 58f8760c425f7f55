//===- Mapping.cpp - Reads mapping files ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Four forms, defined in docs/mapping.md: text, Emscripten's symbols, and warpo-instrument's
// --info-file, for all modules of a record; and a JSON array with a file in one of these forms for
// each module.
//
//===----------------------------------------------------------------------===//

#include "warpo/Record/FunctionTable.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/InputStream.h"
#include "warpo/Support/JsonInput.h"
#include "warpo/Support/SymbolLine.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace warpo {

/// Fills a FunctionTable from files.
class MappingReader {
public:
  MappingReader(FunctionTable &table, DamageReport &damage) : table_(table), damage_(damage) {}

  Error read(StringRef path);

private:
  /// Adds the functions of the file to `ids`; reads it unless it was read for another module.
  Error readFile(StringRef file, FunctionIds &ids);
  struct Line {
    int32_t id;
    /// Empty if the line has none.
    StringRef name;
  };
  /// Nothing for a line in neither format.
  std::optional<Line> parseLine(StringRef line);
  void readText(StringRef file, StringRef text, FunctionIds &ids);
  Error readInfo(StringRef file, const json::Object &info, FunctionIds &ids);
  Error readInfoFunction(const json::Object &function, FunctionIds &ids);
  Error readFunctions(StringRef file, StringRef text, FunctionIds &ids);
  Error readModules(StringRef file, StringRef text);
  /// For a file that states its module; in a list of several the list states it.
  void setModule(uint64_t id) {
    if (table_.sharedIds_)
      table_.mappedModule_ = id;
  }
  /// Unless the list of modules has named it.
  void nameModule(FunctionIds &ids, StringRef name) {
    std::string &known = table_.modules_[ids.module_].name;
    if (known.empty())
      known = name.str();
  }
  Error readJsonModule(StringRef file, const json::Value &value, size_t index);
  Expected<StringRef> keep(StringRef path);

  FunctionTable &table_;
  DamageReport &damage_;
  /// For each file read, the range of its functions in the table.
  struct Range {
    FunctionIndex begin;
    FunctionIndex end;
    /// The module's name in the file; empty if it has none.
    std::string moduleName;
  };
  StringMap<Range> readFiles_;
  /// The same of the file read last.
  std::string moduleName_;
};

Expected<StringRef> MappingReader::keep(StringRef path) {
  auto buffer = readWholeInput(path);
  if (!buffer)
    return buffer.takeError();
  table_.buffers_.push_back(std::move(*buffer));
  return table_.buffers_.back()->getBuffer();
}

Error MappingReader::read(StringRef path) {
  auto text = keep(path);
  if (!text)
    return text.takeError();
  if (text->starts_with(StringRef("\0asm", 4)))
    return fileError(path, "a WebAssembly module, not a mapping: --symbols takes its names");
  if (text->ltrim().starts_with("["))
    return readModules(path, *text);
  return readFunctions(path, *text, table_.addModule(0, ""));
}

Error MappingReader::readFile(StringRef file, FunctionIds &ids) {
  if (auto known = readFiles_.find(file); known != readFiles_.end()) {
    for (FunctionIndex i = known->second.begin; i < known->second.end; ++i) {
      Function function = table_.functions_[i];
      FunctionIndex same =
          table_.addFunction(function.name, ids.module_, function.id, /*known=*/true);
      Function &added = table_.functions_[same];
      added.file = function.file;
      added.line = function.line;
      added.bodyHash = function.bodyHash;
      added.isImported = function.isImported;
      ids.add(function.id, same);
    }
    nameModule(ids, known->second.moduleName);
    ids.settle();
    return Error::success();
  }
  moduleName_.clear();
  auto text = keep(file);
  if (!text)
    return text.takeError();
  auto begin = FunctionIndex(table_.size());
  if (Error error = readFunctions(file, *text, ids))
    return error;
  readFiles_[file] = {begin, FunctionIndex(table_.size()), moduleName_};
  return Error::success();
}

std::optional<MappingReader::Line> MappingReader::parseLine(StringRef line) {
  if (auto symbol = parseSymbolLine(line)) {
    if (symbol->index > INT32_MAX - firstFunctionId)
      return std::nullopt;
    return Line{int32_t(firstFunctionId + symbol->index), table_.saver_.save(symbol->name)};
  }
  StringRef digits = line.take_while(isDigit);
  StringRef rest = line.drop_front(digits.size());
  uint32_t number;
  if (digits.getAsInteger(10, number))
    return std::nullopt;
  if ((!rest.empty() && !rest.consume_front(" ")) || number == 0 || number > INT32_MAX)
    return std::nullopt;
  return Line{int32_t(number), rest};
}

void MappingReader::readText(StringRef file, StringRef text, FunctionIds &ids) {
  uint64_t lineNumber = 0;
  auto place = [&] { return (Twine(file) + ":" + Twine(lineNumber)).str(); };
  while (!text.empty()) {
    StringRef line;
    std::tie(line, text) = text.split('\n');
    ++lineNumber;
    line.consume_back("\r");
    if (line.consume_front("#")) {
      uint64_t module;
      StringRef said = line.trim();
      if (lineNumber == 1 && said.consume_front("module 0x") && !said.getAsInteger(16, module))
        setModule(module);
      continue;
    }
    if (line.empty())
      continue;
    std::optional<Line> parsed = parseLine(line);
    if (!parsed) {
      damage_.add("line that does not start with the id of a function",
                  "lines that do not start with the id of a function", 1, place);
      continue;
    }
    auto [id, name] = *parsed;
    if (name.empty()) {
      damage_.add("id without a name", "ids without a name", 1, place);
      name = table_.saver_.save("function " + Twine(id));
    }
    if (!ids.add(id, table_.addFunction(name, ids.module_, id, /*known=*/true)))
      damage_.add("id that has been given before (the last name wins)",
                  "ids that have been given before (the last name wins)", 1, place);
  }
  ids.settle();
}

Error MappingReader::readModules(StringRef file, StringRef text) {
  auto document = parseJson(text, file);
  if (!document)
    return document.takeError();
  table_.sharedIds_ = false;
  const json::Array &modules = *document->getAsArray();
  for (size_t i = 0; i < modules.size(); ++i)
    if (Error error = readJsonModule(file, modules[i], i))
      return error;
  return Error::success();
}

// The functions of one module, in either form.
Error MappingReader::readFunctions(StringRef file, StringRef text, FunctionIds &ids) {
  if (!text.ltrim().starts_with("{")) {
    readText(file, text, ids);
    return Error::success();
  }
  auto document = parseJson(text, file);
  if (!document)
    return document.takeError();
  return readInfo(file, *document->getAsObject(), ids);
}

static std::optional<uint64_t> parseModuleId(const json::Value &value) {
  if (auto number = value.getAsUINT64())
    return *number;
  uint64_t id;
  auto text = value.getAsString();
  if (!text)
    return std::nullopt;
  StringRef digits = *text;
  unsigned radix = digits.consume_front("0x") || digits.consume_front("0X") ? 16 : 10;
  if (digits.getAsInteger(radix, id))
    return std::nullopt;
  return id;
}

Error MappingReader::readJsonModule(StringRef file, const json::Value &value, size_t index) {
  auto problem = [&](const Twine &message) {
    return fileError(file, "[" + Twine(index) + "]: " + message);
  };
  const json::Object *object = value.getAsObject();
  if (!object)
    return problem("is not an object with moduleId and mappingFile");
  for (const auto &member : *object)
    if (StringRef key = member.first;
        key != "moduleId" && key != "mappingFile" && key != "moduleName")
      return problem("has an unknown key '" + key + "' (known: mappingFile, moduleId, moduleName)");
  const json::Value *idValue = object->get("moduleId");
  if (!idValue)
    return problem("has no moduleId");
  std::optional<uint64_t> moduleId = parseModuleId(*idValue);
  if (!moduleId)
    return problem("moduleId is neither an unsigned 64-bit integer nor a string of one (decimal, "
                   "or hexadecimal with 0x)");
  std::optional<StringRef> mappingFile = object->getString("mappingFile");
  if (!mappingFile || mappingFile->empty())
    return problem(object->get("mappingFile") ? "mappingFile is not a path" : "has no mappingFile");
  std::optional<StringRef> name = object->getString("moduleName");
  if (object->get("moduleName") && !name)
    return problem("moduleName is not a string");
  if (table_.moduleOfId_.count(*moduleId))
    return problem("moduleId " + Twine(*moduleId) + " has been given before");

  SmallString<128> path(*mappingFile);
  if (!sys::path::is_absolute(path)) {
    path = sys::path::parent_path(file);
    sys::path::append(path, *mappingFile);
  }
  return readFile(path, table_.addModule(*moduleId, name.value_or("")));
}

// A 64-bit number as `0x` and hexadecimal digits, as JSON's numbers may be too imprecise.
static std::optional<uint64_t> hexadecimal(std::optional<StringRef> text) {
  uint64_t value;
  if (!text || !text->consume_front("0x") || text->getAsInteger(16, value))
    return std::nullopt;
  return value;
}

Error MappingReader::readInfoFunction(const json::Object &function, FunctionIds &ids) {
  // An uninstrumented function has no id, and is not in records.
  if (!function.get("id"))
    return Error::success();
  std::optional<int64_t> id = function.getInteger("id");
  std::optional<StringRef> name = function.getString("name");
  if (!id || *id <= 0 || *id > INT32_MAX)
    return makeError("id is not that of a function (1 to 2147483647)");
  if (!name)
    return makeError("has no name");
  FunctionIndex index =
      table_.addFunction(table_.saver_.save(*name), ids.module_, int32_t(*id), /*known=*/true);
  if (!ids.add(int32_t(*id), index))
    return makeError("id " + Twine(*id) + " has been given before");
  Function &added = table_.functions_[index];
  std::optional<StringRef> source = function.getString("source");
  std::optional<int64_t> line = function.getInteger("line");
  if (source && line && *line > 0 && *line <= UINT32_MAX) {
    added.file = table_.fileCalled(*source);
    added.line = uint32_t(*line);
  }
  added.isImported = function.getString("kind") == StringRef("import");
  added.bodyHash = hexadecimal(function.getString("bodyHash")).value_or(0);
  return Error::success();
}

Error MappingReader::readInfo(StringRef file, const json::Object &info, FunctionIds &ids) {
  const json::Array *functions = info.getArray("functions");
  if (!functions)
    return fileError(file,
                     "a JSON mapping is an array of objects with moduleId and mappingFile, or "
                     "an object with functions, as --info-file writes it");
  moduleName_ = info.getString("moduleName").value_or("").str();
  nameModule(ids, moduleName_);
  if (std::optional<uint64_t> id = hexadecimal(info.getString("moduleId")))
    setModule(*id);
  for (size_t i = 0; i < functions->size(); ++i) {
    const json::Object *function = (*functions)[i].getAsObject();
    Error error = function ? readInfoFunction(*function, ids) : makeError("is not an object");
    if (error)
      return fileError(file, "functions[" + Twine(i) + "]: " + toString(std::move(error)));
  }
  ids.settle();
  return Error::success();
}

Expected<std::unique_ptr<FunctionTable>> FunctionTable::load(StringRef path, DamageReport &damage) {
  auto table = std::make_unique<FunctionTable>();
  table->hasMapping_ = table->hasMappingFile_ = true;
  if (Error error = MappingReader(*table, damage).read(path))
    return error;
  return table;
}

} // namespace warpo
