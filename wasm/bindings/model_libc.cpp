// The parts of the C library that the module "posenc/model" needs. Those of the library itself
// serve 128-bit numbers and all of printf, and take a tenth of the module.

#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "posenc/core/decimal.hpp"

namespace {

/// Text cut at the end of its buffer.
class Writer {
 public:
  Writer(char* text, std::size_t size) noexcept : text_(text), size_(size) {}

  void add(char c) noexcept {
    if (count_ + 1 < size_) text_[count_] = c;
    ++count_;
  }
  int end() noexcept {
    if (size_ != 0) text_[count_ < size_ ? count_ : size_ - 1] = '\0';
    return static_cast<int>(count_);
  }

 private:
  char* text_;
  std::size_t size_, count_ = 0;
};

void add_whole(Writer& writer, std::uint64_t magnitude, unsigned base, int least_digits) noexcept {
  char digits[24];
  int count = 0;
  for (; magnitude != 0 || count < least_digits; magnitude /= base) {
    digits[count++] = "0123456789abcdef"[magnitude % base];
  }
  while (count > 0) writer.add(digits[--count]);
}

}  // namespace

extern "C" {

/// Takes %s, %zu, %lld, %d and %04x: what the library's messages are made of.
int vsnprintf(char* text, std::size_t size, const char* format, std::va_list arguments) {
  Writer writer(text, size);
  for (; *format != '\0'; ++format) {
    if (*format != '%') {
      writer.add(*format);
      continue;
    }
    int longs = 0;
    while (*++format == 'l' || *format == 'z' || *format == '0' || *format == '4') {
      if (*format == 'l') ++longs;
    }
    if (*format == 's') {
      for (const char* word = va_arg(arguments, const char*); *word != '\0';) writer.add(*word++);
    } else if (*format == 'x') {
      add_whole(writer, va_arg(arguments, unsigned), 16, 4);
    } else if (*format == 'u') {
      add_whole(writer, va_arg(arguments, std::size_t), 10, 1);
    } else if (*format == 'd') {
      const std::int64_t whole = longs == 2 ? va_arg(arguments, long long) : va_arg(arguments, int);
      if (whole < 0) writer.add('-');
      const auto bits = static_cast<std::uint64_t>(whole);
      add_whole(writer, whole < 0 ? 0 - bits : bits, 10, 1);
    } else {
      __builtin_trap();  // a message that this file does not know how to make
    }
  }
  return writer.end();
}

int snprintf(char* text, std::size_t size, const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  const int count = vsnprintf(text, size, format, arguments);
  va_end(arguments);
  return count;
}

/// Takes a number of JSON.
double strtod(const char* text, char** end) { return posenc::detail::read_decimal(text, end); }
// Nothing calls these: they lie beside strtod in the library, which would bring its own.
float strtof(const char*, char**) { __builtin_trap(); }
long double strtold(const char*, char**) { __builtin_trap(); }
}
