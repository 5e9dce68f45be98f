#include "posenc/relative/cope.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "posenc/core/check.hpp"
#include "posenc/core/elements.hpp"
#include "posenc/core/packed_rows.hpp"
#include "posenc/math/elementary.hpp"

namespace posenc {
namespace {

constexpr char kName[] = "cope";

/// Calls `visit(key, position)` from the last key to the first; masked keys have no position.
template <class Visit>
void visit_row(const CopeConfig& config, ConstFloats logits, std::size_t row_start, double query,
               const Positions& keys, const Visit& visit) noexcept {
  const auto last = static_cast<double>(config.max_pos - 1);
  double sum = 0.0;
  for (std::size_t key = keys.size(); key-- > 0;) {
    if (config.causal && keys[key] > query) continue;
    float logit = 0.0f;
    logit = *detail::read(logits, row_start + key, 1, &logit);
    sum += math::sigmoid(static_cast<double>(logit));
    visit(key, std::min(sum, last));
  }
}

Status check_call(ConstFloats logits, const Positions& queries, const Positions& keys,
                  std::size_t heads, ConstFloats out) noexcept {
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "logits", logits.size(),
                                              "heads * queries * keys",
                                              {heads, queries.size(), keys.size()}));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "out", out.size(), "heads * queries * keys",
                                              {heads, queries.size(), keys.size()}));
  POSENC_RETURN_IF_FAILED(detail::check_positions(kName, "queries", queries));
  POSENC_RETURN_IF_FAILED(detail::check_positions(kName, "keys", keys));
  return detail::check_apart(kName, "out", out, "logits", logits);
}

}  // namespace

Status check(const CopeConfig& config) noexcept {
  POSENC_RETURN_IF_FAILED(
      detail::check_count(kName, "head_dim", config.head_dim, 1, detail::kMaxHeadDim));
  POSENC_RETURN_IF_FAILED(
      detail::check_count(kName, "max_pos", config.max_pos, 1, detail::kMaxRelativeRows));
  return detail::check_shape(kName, "table", config.table.size(), "max_pos * head_dim",
                             {config.max_pos, config.head_dim});
}

Cope::Cope(const CopeConfig& config) : config_(config) {
  check(config).or_throw();
  packed_.resize(detail::packed_size(config.max_pos, config.head_dim));
  float row[detail::kMaxHeadDim];
  detail::pack_rows(config.table, 0, config.head_dim, config.max_pos, config.head_dim, row,
                    packed_.data());
  config_.table = {};
}

Status Cope::positions(ConstFloats logits, const Positions& queries, const Positions& keys,
                       Floats out) const noexcept {
  const std::size_t heads = detail::heads_of(logits.size(), queries.size() * keys.size());
  POSENC_RETURN_IF_FAILED(check_call(logits, queries, keys, heads, out));
  if (out.empty()) return {};  // however many queries without a key there are
  for (std::size_t line = 0; line < heads * queries.size(); ++line) {
    const std::size_t row = line * keys.size();
    detail::generate_rounded(out, row, keys.size(), [](std::size_t) { return 0.0; });
    visit_row(config_, logits, row, queries[line % queries.size()], keys,
              [&](std::size_t key, double position) {
                detail::generate_rounded(out, row + key, 1, [&](std::size_t) { return position; });
              });
  }
  return {};
}

Status Cope::scores(ConstFloats q, ConstFloats logits, const Positions& queries,
                    const Positions& keys, std::span<float> out) const noexcept {
  const std::size_t heads = keys.size() == 0
                                ? detail::heads_of(q.size(), queries.size() * config_.head_dim)
                                : detail::heads_of(logits.size(), queries.size() * keys.size());
  POSENC_RETURN_IF_FAILED(check_call(logits, queries, keys, heads, out));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "q", q.size(), "heads * queries * head_dim",
                                              {heads, queries.size(), config_.head_dim}));
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, "out", out, "q", q));
  float tile[detail::kMaxHeadDim], products[detail::kMaxRelativeRows];
  for (std::size_t line = 0; line < heads * queries.size(); ++line) {
    const float* query = detail::read(q, line * config_.head_dim, config_.head_dim, tile);
    detail::dot_rows(query, packed_.data(), config_.max_pos, config_.head_dim, 1.0f, products);
    float* row = out.data() + line * keys.size();
    std::fill_n(row, keys.size(), -std::numeric_limits<float>::infinity());
    visit_row(config_, logits, line * keys.size(), queries[line % queries.size()], keys,
              [&](std::size_t key, double position) {
                if (std::isnan(position)) {
                  row[key] = static_cast<float>(position);
                  return;
                }
                const auto below = static_cast<std::size_t>(position);
                const std::size_t above = std::min(below + 1, config_.max_pos - 1);
                const double share = position - static_cast<double>(below);
                const double low = static_cast<double>(products[below]);
                const double high = static_cast<double>(products[above]);
                row[key] = static_cast<float>((1.0 - share) * low + share * high);
              });
  }
  return {};
}

Result<Cope> make(const CopeConfig& config) noexcept {
  return make_result<Cope>(config, {kName, "max_pos", config.max_pos});
}

}  // namespace posenc
