// Which rows of DeBERTa's tables belong to which distances, and the rows themselves.

#include <algorithm>

#include "posenc/core/check.hpp"
#include "posenc/core/packed_rows.hpp"
#include "posenc/relative/deberta.hpp"

namespace posenc {
namespace {

constexpr char kName[] = "deberta";
constexpr std::size_t kBlock = kernels::kBlock;

/// out[query, key] = row(query - key).
template <class Row>
Status write_by_distance(const Positions& queries, const Positions& keys,
                         std::span<std::int32_t> out, const Row& row) noexcept {
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "out", out.size(), "queries * keys",
                                              {queries.size(), keys.size()}));
  POSENC_RETURN_IF_FAILED(detail::check_whole_positions(kName, "queries", queries));
  POSENC_RETURN_IF_FAILED(detail::check_whole_positions(kName, "keys", keys));
  if (out.empty()) return {};  // however many queries without a key there are
  for (std::size_t query = 0; query < queries.size(); ++query) {
    for (std::size_t key = 0; key < keys.size(); ++key) {
      out[query * keys.size() + key] = static_cast<std::int32_t>(row(queries[query] - keys[key]));
    }
  }
  return {};
}

}  // namespace

Status Deberta::relative_positions(const Positions& queries, const Positions& keys,
                                   std::span<std::int32_t> out) const noexcept {
  constexpr double kLimit = 2147483647.0;
  return write_by_distance(queries, keys, out, [&](double distance) {
    return bucket(static_cast<std::int64_t>(std::clamp(distance, -kLimit, kLimit)));
  });
}

Status Deberta::index(const Positions& queries, const Positions& keys,
                      std::span<std::int32_t> out) const noexcept {
  return write_by_distance(queries, keys, out, [&](double distance) { return row_of(distance); });
}

Status Deberta::tables(std::span<float> keys, std::span<float> queries) const noexcept {
  const std::size_t rows = 2 * config_.att_span, dim = config_.head_dim;
  const auto write = [&](const char* field, const std::vector<float>& packed,
                         std::span<float> out) -> Status {
    if (packed.empty() && out.empty()) return {};
    POSENC_RETURN_IF_FAILED(detail::check_shape(
        kName, field, out.size(), "heads * 2 att_span * head_dim", {config_.heads, rows, dim}));
    if (packed.empty()) {
      return Status::failure(Code::shape, field, "deberta: %s must be empty without that term",
                             field);
    }
    for (std::size_t at = 0; at < out.size(); ++at) {
      const std::size_t head = at / (rows * dim), row = at / dim % rows, i = at % dim;
      const float* block =
          packed.data() + head * detail::packed_size(rows, dim) + row / kBlock * kBlock * dim;
      out[at] = block[i * kBlock + row % kBlock];
    }
    return {};
  };
  POSENC_RETURN_IF_FAILED(write("keys", keys_, keys));
  return write("queries", queries_, queries);
}

}  // namespace posenc
