// Does to files what the lines of standard input say, by WASI's own functions and without a
// library. Each line comes out again with what came of it behind its "=>": the error's number, and
// what the function gave. A script with results comes out as it went in, if they are right.
//
//   open FOLDER FOLLOW PATH OFLAGS RIGHTS INHERITING FDFLAGS NAME   # NAME, a letter, then stands
//   for the descriptor stat FOLDER FOLLOW PATH, times FOLDER FOLLOW PATH, utimes FOLDER FOLLOW PATH
//   ACCESSED MODIFIED FLAGS, ... raw FUNCTION NUMBER...                                          #
//   addresses and sizes as they are
//
// In texts \0 is a zero byte, \x one of no UTF-8, \e nothing, \rN(text) the text N times.
// Built with: clang-19 --target=wasm32-wasi -nostdlib -mbulk-memory -O1
#include <stddef.h>
#include <stdint.h>

typedef uint32_t Address;
#define WASI(name, ...)                                                                            \
  __attribute__((import_module("wasi_snapshot_preview1"), import_name(#name))) int name(           \
      __VA_ARGS__);
WASI(fd_advise, int, uint64_t, uint64_t, int)
WASI(fd_allocate, int, uint64_t, uint64_t)
WASI(fd_close, int)
WASI(fd_datasync, int)
WASI(fd_fdstat_get, int, Address)
WASI(fd_fdstat_set_flags, int, int)
WASI(fd_fdstat_set_rights, int, uint64_t, uint64_t)
WASI(fd_filestat_get, int, Address)
WASI(fd_filestat_set_size, int, uint64_t)
WASI(fd_filestat_set_times, int, uint64_t, uint64_t, int)
WASI(fd_pread, int, Address, int, uint64_t, Address)
WASI(fd_prestat_get, int, Address)
WASI(fd_prestat_dir_name, int, Address, int)
WASI(fd_pwrite, int, Address, int, uint64_t, Address)
WASI(fd_read, int, Address, int, Address)
WASI(fd_readdir, int, Address, int, uint64_t, Address)
WASI(fd_renumber, int, int)
WASI(fd_seek, int, int64_t, int, Address)
WASI(fd_sync, int)
WASI(fd_tell, int, Address)
WASI(fd_write, int, Address, int, Address)
WASI(path_create_directory, int, Address, int)
WASI(path_filestat_get, int, int, Address, int, Address)
WASI(path_filestat_set_times, int, int, Address, int, uint64_t, uint64_t, int)
WASI(path_link, int, int, Address, int, int, Address, int)
WASI(path_open, int, int, Address, int, int, uint64_t, uint64_t, int, Address)
WASI(path_readlink, int, Address, int, Address, int, Address)
WASI(path_remove_directory, int, Address, int)
WASI(path_rename, int, Address, int, int, Address, int)
WASI(path_symlink, Address, int, int, Address, int)
WASI(path_unlink_file, int, Address, int)
__attribute__((import_module("wasi_snapshot_preview1"), import_name("proc_exit"), noreturn)) void
proc_exit(int);

static Address at(const void *place) { return (Address)(uintptr_t)place; }

// ---- texts

static size_t lengthOf(const char *text) {
  size_t n = 0;
  while (text[n])
    ++n;
  return n;
}

// Less than, equal to or greater than 0, as strcmp.
static int compare(const char *a, const char *b) {
  while (*a && *a == *b)
    ++a, ++b;
  return (uint8_t)*a - (uint8_t)*b;
}

static char output[1 << 14];
static size_t outputSize;

static void flush(void) {
  for (size_t done = 0; done < outputSize;) {
    uint32_t range[2] = {at(output + done), outputSize - done}, written = 0;
    if (fd_write(1, at(range), 1, at(&written)))
      proc_exit(100);
    done += written;
  }
  outputSize = 0;
}

static void putBytes(const char *bytes, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    if (outputSize == sizeof output)
      flush();
    output[outputSize++] = bytes[i];
  }
}

static void put(const char *text) { putBytes(text, lengthOf(text)); }

// With a space before it.
static void putNumber(uint64_t number) {
  char digits[21];
  size_t begin = sizeof digits;
  do
    digits[--begin] = (char)('0' + number % 10);
  while (number /= 10);
  digits[--begin] = ' ';
  putBytes(digits + begin, sizeof digits - begin);
}

static void putText(const char *text, size_t size) {
  put(" ");
  putBytes(text, size);
}

// ---- the words of a line

static struct Word {
  char *text;
  size_t size;
} words[12];
static size_t wordCount;
static char expanded[1 << 16];
static size_t expandedSize;
// The descriptors that letters stand for; -1 is none.
static int opened[26];

// `at` stands on a backslash; returns where it ends.
static const char *expandEscape(const char *escape) {
  char c = *++escape;
  size_t times = 0;
  if (c == 'r') {
    while (*++escape != '(')
      times = times * 10 + (size_t)(*escape - '0');
    const char *begin = escape + 1;
    while (*escape != ')')
      ++escape;
    for (; times; --times)
      for (const char *i = begin; i < escape; ++i)
        expanded[expandedSize++] = *i;
  } else if (c != 'e') {
    expanded[expandedSize++] = c == '0' ? '\0' : '\xff';
  }
  return escape + 1;
}

// Returns the end of the words: "=>" or the line's own.
static const char *cutLine(const char *line) {
  wordCount = expandedSize = 0;
  for (;;) {
    while (*line == ' ')
      ++line;
    if (!*line || (line[0] == '=' && line[1] == '>'))
      return line;
    struct Word *word = &words[wordCount++];
    word->text = expanded + expandedSize;
    while (*line && *line != ' ')
      if (*line == '\\')
        line = expandEscape(line);
      else
        expanded[expandedSize++] = *line++;
    word->size = (size_t)(expanded + expandedSize - word->text);
    expanded[expandedSize++] = '\0';
  }
}

static int64_t wide(size_t i) {
  const char *text = i < wordCount ? words[i].text : "0";
  if (*text >= 'a' && *text <= 'z')
    return opened[*text - 'a'];
  int isNegative = *text == '-', isHex = text[0] == '0' && text[1] == 'x';
  uint64_t value = 0;
  for (text += isNegative ? 1 : isHex ? 2 : 0; *text; ++text)
    value = value * (isHex ? 16 : 10) + (uint64_t)(*text <= '9' ? *text - '0' : *text - 'a' + 10);
  return (int64_t)(isNegative ? -value : value);
}

static int number(size_t i) { return (int)wide(i); }
#define TEXT(i) at(words[i].text), (int)words[i].size

// ---- what functions give

static char buffer[1 << 16];
static union {
  uint8_t bytes[64];
  uint16_t halves[32];
  uint32_t words[16];
  uint64_t numbers[8];
} result;

static void putKind(uint8_t kind) {
  static const char *const kinds[] = {"unknown", "block", "char",   "folder",
                                      "file",    "dgram", "stream", "link"};
  put(kinds[kind & 7]);
}

static void putStatus(void) {
  put(" ");
  putKind(result.bytes[16]);
  if (result.bytes[16] == 4) {
    putNumber(result.numbers[4]);
    put(" x");
    putNumber(result.numbers[3]);
  }
}

static void putTimes(void) {
  putNumber(result.numbers[5]);
  putNumber(result.numbers[6]);
}

static struct Entry {
  char name[256];
  uint64_t number, next;
  uint8_t kind;
} entries[1000];
static size_t entryCount;

// Reads a folder's entries from `cookie` on, through a buffer of this size, until there are no
// more.
static int readEntries(int fd, uint32_t size, uint64_t cookie) {
  for (entryCount = 0;;) {
    uint32_t used = 0;
    int error = fd_readdir(fd, at(buffer), (int)size, cookie, at(&used));
    if (error)
      return error;
    uint32_t begin = 0, nameSize, before = entryCount;
    for (; begin + 24 <= used && entryCount < 1000; begin += 24 + nameSize) {
      struct Entry *entry = &entries[entryCount];
      __builtin_memcpy(&entry->next, buffer + begin, 8);
      __builtin_memcpy(&entry->number, buffer + begin + 8, 8);
      __builtin_memcpy(&nameSize, buffer + begin + 16, 4);
      entry->kind = (uint8_t)buffer[begin + 20];
      if (begin + 24 + nameSize > used || nameSize > 255)
        break;
      __builtin_memcpy(entry->name, buffer + begin + 24, nameSize);
      entry->name[nameSize] = '\0';
      cookie = entry->next;
      ++entryCount;
    }
    if (used < size || entryCount == before)
      return 0;
  }
}

// Sorted: their order is the file system's. A `?` marks one without a file's number.
static void putEntries(void) {
  for (size_t i = 0; i < entryCount; ++i)
    for (size_t j = i; j > 0 && compare(entries[j].name, entries[j - 1].name) < 0; --j) {
      struct Entry other = entries[j];
      entries[j] = entries[j - 1];
      entries[j - 1] = other;
    }
  for (size_t i = 0; i < entryCount; ++i) {
    putText(entries[i].name, lengthOf(entries[i].name));
    put(entries[i].number ? ":" : "?");
    putKind(entries[i].kind);
  }
}

// ---- commands: each returns the error, and what it gave is put by `show`, if there was none

static void (*show)(void);
static uint32_t count;
static void putCount(void) { putNumber(count); }
static void putBuffer(void) {
  putNumber(count);
  putText(buffer, count);
}
static void putPosition(void) { putNumber(result.numbers[0]); }
static void putState(void) {
  put(" ");
  putKind(result.bytes[0]);
  putNumber(result.halves[1]);
  putNumber(result.numbers[1]);
  putNumber(result.numbers[2]);
}
static void putFolder(void) {
  putNumber(result.bytes[0]);
  putNumber(result.words[1]);
}
static void putEntryCount(void) { putNumber(entryCount); }

static int openPath(void) {
  int fd = -1, error = path_open(number(1), number(2), TEXT(3), number(4), (uint64_t)wide(5),
                                 (uint64_t)wide(6), number(7), at(&fd));
  if (wordCount > 8)
    opened[words[8].text[0] - 'a'] = fd;
  return error;
}

// Opens a file again and again until that fails, and closes them all.
static int exhaust(void) {
  static int all[100000];
  size_t most = 0;
  int error = 0;
  while (!error && most < 100000)
    error = path_open(number(1), 0, TEXT(2), 0, 2, 0, 0, at(&all[most++]));
  for (size_t i = 0; i + 1 < most; ++i)
    fd_close(all[i]);
  return error;
}

// Whether the entries behind the i-th one, by its cookie, are those that came behind it before.
static int readTail(void) {
  static struct Entry before[1000];
  int error = readEntries(number(1), (uint32_t)number(2), 0);
  size_t beforeCount = entryCount, next = (size_t)number(3) + 1;
  __builtin_memcpy(before, entries, sizeof entries);
  if (error || next > beforeCount)
    return error ? error : 1000;
  error = readEntries(number(1), (uint32_t)number(2), before[next - 1].next);
  int isSame = entryCount == beforeCount - next;
  for (size_t i = 0; isSame && i < entryCount; ++i)
    isSame = compare(entries[i].name, before[next + i].name) == 0;
  return error ? error : isSame ? 0 : 1001;
}

static int callRaw(void) {
#define RAW(name, ...)                                                                             \
  if (compare(words[1].text, #name) == 0)                                                          \
    return name(__VA_ARGS__);
  RAW(fd_fdstat_get, number(2), number(3))
  RAW(fd_filestat_get, number(2), number(3))
  RAW(fd_pread, number(2), number(3), number(4), (uint64_t)wide(5), number(6))
  RAW(fd_prestat_dir_name, number(2), number(3), number(4))
  RAW(fd_prestat_get, number(2), number(3))
  RAW(fd_pwrite, number(2), number(3), number(4), (uint64_t)wide(5), number(6))
  RAW(fd_read, number(2), number(3), number(4), number(5))
  RAW(fd_readdir, number(2), number(3), number(4), (uint64_t)wide(5), number(6))
  RAW(fd_seek, number(2), wide(3), number(4), number(5))
  RAW(fd_tell, number(2), number(3))
  RAW(fd_write, number(2), number(3), number(4), number(5))
  RAW(path_create_directory, number(2), number(3), number(4))
  RAW(path_filestat_get, number(2), number(3), number(4), number(5), number(6))
  RAW(path_filestat_set_times, number(2), number(3), number(4), number(5), 0, 0, 0)
  RAW(path_link, number(2), number(3), number(4), number(5), number(6), number(7), number(8))
  RAW(path_open, number(2), number(3), number(4), number(5), number(6), 0, 0, 0, number(7))
  RAW(path_readlink, number(2), number(3), number(4), number(5), number(6), number(7))
  RAW(path_remove_directory, number(2), number(3), number(4))
  RAW(path_rename, number(2), number(3), number(4), number(5), number(6), number(7))
  RAW(path_symlink, number(2), number(3), number(4), number(5), number(6))
  RAW(path_unlink_file, number(2), number(3), number(4))
  return 9999;
}

static int perform(void) {
  uint32_t range[2] = {wordCount > 2 ? at(words[2].text) : 0,
                       wordCount > 2 ? (uint32_t)words[2].size : 0};
#define COMMAND(word, how, ...)                                                                    \
  if (compare(words[0].text, word) == 0)                                                           \
    return show = how, __VA_ARGS__;
  COMMAND("open", 0, openPath())
  COMMAND("exhaust", 0, exhaust())
  COMMAND("tail", 0, readTail())
  COMMAND("raw", 0, callRaw())
  COMMAND("mkdir", 0, path_create_directory(number(1), TEXT(2)))
  COMMAND("rmdir", 0, path_remove_directory(number(1), TEXT(2)))
  COMMAND("unlink", 0, path_unlink_file(number(1), TEXT(2)))
  COMMAND("rename", 0, path_rename(number(1), TEXT(2), number(3), TEXT(4)))
  COMMAND("link", 0, path_link(number(1), number(2), TEXT(3), number(4), TEXT(5)))
  COMMAND("symlink", 0, path_symlink(TEXT(1), number(2), TEXT(3)))
  COMMAND("readlink", putBuffer,
          path_readlink(number(1), TEXT(2), at(buffer), number(3), at(&count)))
  COMMAND("stat", putStatus, path_filestat_get(number(1), number(2), TEXT(3), at(&result)))
  COMMAND("times", putTimes, path_filestat_get(number(1), number(2), TEXT(3), at(&result)))
  COMMAND("utimes", 0,
          path_filestat_set_times(number(1), number(2), TEXT(3), (uint64_t)wide(4),
                                  (uint64_t)wide(5), number(6)))
  COMMAND("fstat", putStatus, fd_filestat_get(number(1), at(&result)))
  COMMAND("ftimes", putTimes, fd_filestat_get(number(1), at(&result)))
  COMMAND("futimes", 0,
          fd_filestat_set_times(number(1), (uint64_t)wide(2), (uint64_t)wide(3), number(4)))
  COMMAND("write", putCount, fd_write(number(1), at(range), 1, at(&count)))
  COMMAND("pwrite", putCount, fd_pwrite(number(1), at(range), 1, (uint64_t)wide(3), at(&count)))
  range[0] = (Address)number(2), range[1] = (uint32_t)number(3);
  COMMAND("read-to", 0, fd_read(number(1), at(range), 1, at(&count)))
  COMMAND("write-from", 0, fd_write(number(1), at(range), 1, at(&count)))
  range[0] = at(buffer), range[1] = (uint32_t)number(2);
  COMMAND("read", putBuffer, fd_read(number(1), at(range), 1, at(&count)))
  COMMAND("pread", putBuffer, fd_pread(number(1), at(range), 1, (uint64_t)wide(3), at(&count)))
  COMMAND("resize", 0, fd_filestat_set_size(number(1), (uint64_t)wide(2)))
  COMMAND("allocate", 0, fd_allocate(number(1), (uint64_t)wide(2), (uint64_t)wide(3)))
  COMMAND("advise", 0, fd_advise(number(1), (uint64_t)wide(2), (uint64_t)wide(3), number(4)))
  COMMAND("sync", 0, fd_sync(number(1)))
  COMMAND("datasync", 0, fd_datasync(number(1)))
  COMMAND("close", 0, fd_close(number(1)))
  COMMAND("renumber", 0, fd_renumber(number(1), number(2)))
  COMMAND("flags", 0, fd_fdstat_set_flags(number(1), number(2)))
  COMMAND("rights", 0, fd_fdstat_set_rights(number(1), (uint64_t)wide(2), (uint64_t)wide(3)))
  COMMAND("state", putState, fd_fdstat_get(number(1), at(&result)))
  COMMAND("seek", putPosition, fd_seek(number(1), wide(2), number(3), at(&result)))
  COMMAND("tell", putPosition, fd_tell(number(1), at(&result)))
  COMMAND("folder", putFolder, fd_prestat_get(number(1), at(&result)))
  COMMAND("folder-name", putBuffer,
          (count = (uint32_t)number(2), fd_prestat_dir_name(number(1), at(buffer), number(2))))
  COMMAND("list", putEntries, readEntries(number(1), (uint32_t)number(2), 0))
  COMMAND("count", putEntryCount, readEntries(number(1), (uint32_t)number(2), 0))
  return 9999;
}

static size_t readInput(char *input, size_t room) {
  size_t size = 0;
  for (;;) {
    uint32_t range[2] = {at(input + size), room - size}, got = 0;
    if (fd_read(0, at(range), 1, at(&got)))
      proc_exit(101);
    if (!got)
      return size;
    size += got;
  }
}

void _start(void) {
  static char input[1 << 18];
  for (size_t i = 0; i < 26; ++i)
    opened[i] = -1;
  input[readInput(input, sizeof input - 1)] = '\0';
  for (char *line = input, *end; *line; line = end) {
    for (end = line; *end && *end != '\n'; ++end)
      ;
    if (*end)
      *end++ = '\0';
    const char *words = *line == '#' ? line : cutLine(line);
    putBytes(line, words == line ? lengthOf(line) : (size_t)(words - line));
    if (words != line) {
      put(words[-1] == ' ' ? "=>" : " =>");
      int error = perform();
      putNumber((uint64_t)error);
      if (!error && show)
        show();
    }
    put("\n");
    flush();
  }
}
