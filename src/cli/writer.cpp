#include "cli/writer.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "cli/failure.hpp"
#include "cli/npy.hpp"
#include "cli/number.hpp"
#include "cli/output.hpp"

namespace posenc::cli {
namespace {

/// About 1 MB of numbers are computed and written at a time.
constexpr std::uint64_t kBlockValues = std::uint64_t{1} << 18;

Format format_of(const OutputOptions& options) {
  if (options.format) return *options.format;
  if (options.path == "-") return Format::csv;
  const std::string extension = std::filesystem::path(options.path).extension().string();
  if (extension == ".npy") return Format::npy;
  if (extension == ".csv") return Format::csv;
  if (extension == ".json") return Format::json;
  throw UsageError("--out " + options.path +
                   " does not end in .npy, .csv or .json: say --format npy, csv or json");
}

template <class Value>
constexpr std::string_view kTypeWord = "<f4";
template <>
constexpr std::string_view kTypeWord<double> = "<f8";
template <>
constexpr std::string_view kTypeWord<std::int64_t> = "<i8";

/// One of the three formats: what stands before the rows, the rows themselves, what stands after.
class Encoder {
 public:
  explicit Encoder(Format format) : format_(format) {}

  template <class Value>
  std::string_view begin(const TensorOf<Value>& tensor) {
    text_.clear();
    if (format_ == Format::npy) text_ = npy_header(kTypeWord<Value>, tensor.shape);
    if (format_ == Format::json) {
      text_ = "{\"shape\":[";
      for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
        if (i > 0) text_ += ',';
        text_ += std::to_string(tensor.shape[i]);
      }
      text_ += "],\"data\":[";
    }
    return text_;
  }

  /// `values` holds whole rows of `columns` values.
  template <class Value>
  std::string_view rows(std::span<const Value> values, std::uint64_t columns) {
    if (format_ == Format::npy) {
      return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
    }
    text_.clear();
    if (format_ == Format::json) {
      for (const Value value : values) append_json(value);
    } else {
      for (std::size_t i = 0; i < values.size(); ++i) {
        append_number(text_, values[i]);
        text_ += (i + 1) % columns == 0 ? '\n' : ',';
      }
    }
    return text_;
  }

  std::string_view end() const { return format_ == Format::json ? "]}\n" : ""; }

 private:
  void append_json(std::int64_t value) {
    append_separator();
    append_number(text_, value);
  }

  template <std::floating_point Value>
  void append_json(Value value) {
    append_separator();
    if (std::isfinite(value)) {
      append_number(text_, value);
      // Readers that know integers would take -0 for 0.
      if (value == 0 && std::signbit(value)) text_ += ".0";
    } else {
      text_ += '"';
      append_number(text_, value);
      text_ += '"';
    }
  }

  void append_separator() {
    if (!first_) text_ += ',';
    first_ = false;
  }

  Format format_;
  bool first_ = true;
  std::string text_;
};

ProgressMode mode_of(const OutputOptions& options) {
  if (options.quiet) return ProgressMode::off;
  return options.progress ? ProgressMode::always : ProgressMode::automatic;
}

template <class Value>
void write_rows(const TensorOf<Value>& tensor, Encoder& encoder, Output& output,
                Progress& progress) {
  const std::uint64_t columns = tensor.columns();
  const std::uint64_t rows = columns == 0 ? 0 : tensor.rows();
  const std::uint64_t block = std::min(
      rows, std::max<std::uint64_t>(1, kBlockValues / std::max<std::uint64_t>(columns, 1)));
  std::vector<Value> values(static_cast<std::size_t>(block * columns));
  for (std::uint64_t first = 0; first < rows; first += block) {
    const std::uint64_t count = std::min(block, rows - first);
    const std::span<Value> part =
        std::span(values).first(static_cast<std::size_t>(count * columns));
    tensor.fill(first, part);
    output.write(encoder.rows(std::span<const Value>(part), columns));
    progress.update(first + count);
  }
}

}  // namespace

template <class Value>
void write_positions(const TensorOf<Value>& tensor, const OutputOptions& options) {
  const Format format = format_of(options);
  Output output(options.path);
  if (format == Format::npy && output.is_terminal()) {
    throw UsageError("npy is binary and standard output is a terminal: give --out or --format csv");
  }
  Encoder encoder(format);
  Progress progress(mode_of(options), tensor.rows());
  output.write(encoder.begin(tensor));
  write_rows(tensor, encoder, output, progress);
  output.write(encoder.end());
  output.commit();
  progress.finish();
}
template void write_positions(const TensorOf<std::int64_t>& tensor, const OutputOptions& options);
template void write_positions(const TensorOf<double>& tensor, const OutputOptions& options);

void write_tensor(const Tensor& tensor, const OutputOptions& options) {
  write_positions(tensor, options);
}

}  // namespace posenc::cli
