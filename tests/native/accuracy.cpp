#include "accuracy.hpp"

#include <cstdio>
#include <utility>
#include <vector>

#include "posenc/core/version.hpp"

namespace posenc::tests {
namespace {

/// Prints the rows of all sweeps together, when the tests are done.
class Table : public testing::Environment {
 public:
  /// A row of its own for a sweep that begins.
  std::size_t reserve() {
    rows_.emplace_back();
    return rows_.size() - 1;
  }
  void set(std::size_t index, std::string row) { rows_[index] = std::move(row); }
  void TearDown() override {
    if (rows_.empty()) return;
    std::printf("Accuracy against exact values (%s kernels), largest errors:\n",
                kernel_name().data());
    for (const std::string& row : rows_) std::printf("%s\n", row.c_str());
    rows_.clear();
  }

 private:
  std::vector<std::string> rows_;
};

Table* const table = static_cast<Table*>(testing::AddGlobalTestEnvironment(new Table));

}  // namespace

Sweep::Sweep(std::string encoding, std::string swept, const char* unit)
    : encoding_(std::move(encoding)),
      swept_(std::move(swept)),
      unit_(unit),
      row_(table->reserve()) {}

Sweep::~Sweep() {
  char row[300];
  std::snprintf(row, sizeof row, "  %-26s %-70s %7zu values  %8.6f %s  (at %.9g, column %zu)",
                encoding_.c_str(), swept_.c_str(), count_, largest_, unit_, at_, column_);
  table->set(row_, row);
  EXPECT_LE(largest_, 1.0) << row;
  EXPECT_GT(count_, 0u) << row;
}

}  // namespace posenc::tests
