#include "cli/whole_rows.hpp"

#include <algorithm>
#include <cstddef>

#include "cli/options.hpp"

namespace posenc::cli {
namespace {

bool is_list(const std::string& text) {
  return text.empty() || text.find_first_not_of("0123456789+-,.eE") == std::string::npos;
}

}  // namespace

CLI::Option* WholeRows::add(CLI::App& app, const std::string& description) {
  const auto take = [this](const CLI::results_t& results) {
    texts = results;
    return true;
  };
  return app.add_option(name, CLI::callback_t(take), description)
      ->type_name("N,N,...|FILE")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

WholeMatrix WholeRows::read() const {
  if (texts.size() == 1 && !is_list(texts.front())) return read_whole_matrix(texts.front());
  WholeMatrix matrix{.rows = texts.size(), .data = {}};
  std::size_t columns = 0;
  for (const std::string& text : texts) {
    const std::vector<std::string> items = split_list(text);
    if (matrix.data.empty()) columns = items.size();
    if (items.size() != columns) {
      throw UsageError(name + " must have rows of equal length, got " + std::to_string(columns) +
                       " and " + std::to_string(items.size()));
    }
    for (const std::string& item : items) {
      matrix.data.push_back(parse_whole(name, item, -kMaxPosition, kMaxPosition));
    }
  }
  return matrix;
}

void WholeRows::out_of_range(std::int64_t value, std::int64_t most) const {
  throw UsageError(name + " must be at most " + std::to_string(most) + " in magnitude, got " +
                   std::to_string(value));
}

}  // namespace posenc::cli
