#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "cli/failure.hpp"
#include "cli/tensor_file.hpp"

namespace posenc::cli {

/// A flag of rows of whole numbers: "0,0,1,1", again for each row, or a file of them.
struct WholeRows {
  std::string name;
  std::vector<std::string> texts{};

  CLI::Option* add(CLI::App& app, const std::string& description);

  bool is_given() const { return !texts.empty(); }
  /// Throws UsageError or IoError; rows must be equally long. No rows when the flag is not given.
  WholeMatrix read() const;

  /// The numbers of `matrix` in a narrower type; UsageError where one does not fit.
  template <class Integer>
  std::vector<Integer> as(const WholeMatrix& matrix) const {
    std::vector<Integer> result;
    result.reserve(matrix.data.size());
    for (const std::int64_t value : matrix.data) {
      if (!std::in_range<Integer>(value)) out_of_range(value, std::numeric_limits<Integer>::max());
      result.push_back(static_cast<Integer>(value));
    }
    return result;
  }

 private:
  [[noreturn]] void out_of_range(std::int64_t value, std::int64_t most) const;
};

}  // namespace posenc::cli
