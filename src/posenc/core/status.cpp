#include "posenc/core/status.hpp"

#include <cstdarg>
#include <cstdio>

namespace posenc {

std::string_view code_name(Code code) noexcept {
  switch (code) {
    case Code::ok:
      return "OK";
    case Code::value_range:
      return "VALUE_RANGE";
    case Code::shape:
      return "SHAPE";
    case Code::position_range:
      return "POSITION_RANGE";
    case Code::overlap:
      return "OVERLAP";
    case Code::size_limit:
      return "SIZE_LIMIT";
    case Code::out_of_memory:
      return "OUT_OF_MEMORY";
    case Code::malformed:
      return "MALFORMED";
  }
  return "OK";
}

Status Status::failure(Code code, const char* field, const char* format, ...) noexcept {
  Status status;
  status.code_ = code;
  status.field_ = field;
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(status.message_, kMessageSize, format, arguments);
  va_end(arguments);
  return status;
}

void Status::or_throw() const {
  if (!ok()) throw Error(*this);
}

}  // namespace posenc
