#include "cli/writer.hpp"

#include <algorithm>
#include <cmath>
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

/// One of the three formats: what stands before the rows, the rows themselves, what stands after.
class Encoder {
 public:
  explicit Encoder(Format format) : format_(format) {}

  std::string_view begin(const Tensor& tensor) {
    text_.clear();
    if (format_ == Format::npy) text_ = npy_header(tensor.shape);
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
  std::string_view rows(std::span<const float> values, std::uint64_t columns) {
    if (format_ == Format::npy) {
      return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
    }
    text_.clear();
    if (format_ == Format::json) {
      for (const float value : values) append_json(value);
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
  void append_json(float value) {
    if (!first_) text_ += ',';
    first_ = false;
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

  Format format_;
  bool first_ = true;
  std::string text_;
};

ProgressMode mode_of(const OutputOptions& options) {
  if (options.quiet) return ProgressMode::off;
  return options.progress ? ProgressMode::always : ProgressMode::automatic;
}

void write_rows(const Tensor& tensor, Encoder& encoder, Output& output, Progress& progress) {
  const std::uint64_t columns = tensor.columns();
  const std::uint64_t rows = columns == 0 ? 0 : tensor.rows();
  const std::uint64_t block = std::min(
      rows, std::max<std::uint64_t>(1, kBlockValues / std::max<std::uint64_t>(columns, 1)));
  std::vector<float> values(static_cast<std::size_t>(block * columns));
  for (std::uint64_t first = 0; first < rows; first += block) {
    const std::uint64_t count = std::min(block, rows - first);
    const std::span<float> part =
        std::span(values).first(static_cast<std::size_t>(count * columns));
    tensor.fill(first, part);
    output.write(encoder.rows(part, columns));
    progress.update(first + count);
  }
}

}  // namespace

void write_tensor(const Tensor& tensor, const OutputOptions& options) {
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

}  // namespace posenc::cli
