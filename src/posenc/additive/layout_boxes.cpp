#include "posenc/additive/layout_boxes.hpp"

#include "posenc/core/check.hpp"
#include "posenc/core/weighted_rows.hpp"

namespace posenc {
namespace {

constexpr char kName[] = "layout_boxes";
constexpr std::size_t kCorners = 4;

/// One term of the sum: a table, its names, and the row that a token reads.
struct Term {
  ConstFloats rows;
  const char* field;
  const char* index_name;
  std::int64_t row;
};

/// The terms of a token, in the order in which they are summed.
struct Terms {
  Term list[7];
  std::size_t count = 0;

  void append(ConstFloats rows, const char* field, const char* index_name, std::int64_t row) {
    list[count++] = {rows, field, index_name, row};
  }
};

Terms terms_of(const LayoutBoxesConfig& config, const std::int32_t* box, double position) noexcept {
  const std::int64_t x0 = box[0], y0 = box[1], x1 = box[2], y1 = box[3];
  Terms terms;
  if (!config.position_rows.empty()) {
    terms.append(config.position_rows, "positions", "position",
                 static_cast<std::int64_t>(position));
  }
  terms.append(config.x_rows, "boxes", "x0", x0);
  terms.append(config.y_rows, "boxes", "y0", y0);
  terms.append(config.x_rows, "boxes", "x1", x1);
  terms.append(config.y_rows, "boxes", "y1", y1);
  terms.append(config.height_rows, "boxes", "y1 - y0", y1 - y0);
  terms.append(config.width_rows, "boxes", "x1 - x0", x1 - x0);
  return terms;
}

Status check_table(const LayoutBoxesConfig& config, const char* field, ConstFloats rows) noexcept {
  if (!rows.empty() && rows.size() % config.dim == 0) return {};
  return Status::failure(Code::shape, field,
                         "layout_boxes: %s must have a positive multiple of dim = %zu elements, "
                         "got %zu",
                         field, config.dim, rows.size());
}

Status check_terms(const LayoutBoxesConfig& config, std::size_t token,
                   const Terms& terms) noexcept {
  for (std::size_t i = 0; i < terms.count; ++i) {
    const Term& term = terms.list[i];
    const auto rows = static_cast<std::int64_t>(term.rows.size() / config.dim);
    if (term.row >= 0 && term.row < rows) continue;
    return Status::failure(Code::position_range, term.field,
                           "layout_boxes: %s of token %zu must be 0 to %lld, the rows of its "
                           "table, got %lld",
                           term.index_name, token, static_cast<long long>(rows - 1),
                           static_cast<long long>(term.row));
  }
  return {};
}

double position_of(const LayoutBoxesConfig& config, const Positions& positions,
                   std::size_t token) noexcept {
  return config.position_rows.empty() ? 0.0 : positions[token];
}

Status check_apart_from_tables(const LayoutBoxesConfig& config, const char* argument,
                               ConstFloats x) noexcept {
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, argument, x, "x_rows", config.x_rows));
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, argument, x, "y_rows", config.y_rows));
  POSENC_RETURN_IF_FAILED(
      detail::check_apart(kName, argument, x, "height_rows", config.height_rows));
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, argument, x, "width_rows", config.width_rows));
  return detail::check_apart(kName, argument, x, "position_rows", config.position_rows);
}

Status check_call(const LayoutBoxesConfig& config, std::span<const std::int32_t> boxes,
                  const Positions& positions, const char* argument, ConstFloats x) noexcept {
  const std::size_t tokens = boxes.size() / kCorners;
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, "boxes", boxes.size(), "tokens * 4", {tokens, kCorners}));
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, argument, x.size(), "tokens * dim", {tokens, config.dim}));
  const std::size_t expected = config.position_rows.empty() ? 0 : tokens;
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, "positions", positions.size(), "tokens", {expected}));
  POSENC_RETURN_IF_FAILED(check_apart_from_tables(config, argument, x));
  POSENC_RETURN_IF_FAILED(detail::check_whole_positions(kName, "positions", positions));
  for (std::size_t token = 0; token < tokens; ++token) {
    POSENC_RETURN_IF_FAILED(check_terms(
        config, token,
        terms_of(config, boxes.data() + kCorners * token, position_of(config, positions, token))));
  }
  return {};
}

/// Calls `visit(token, rows)` with the rows that each token is the sum of.
template <class Visit>
void visit_tokens(const LayoutBoxesConfig& config, std::span<const std::int32_t> boxes,
                  const Positions& positions, const Visit& visit) noexcept {
  for (std::size_t token = 0; token < boxes.size() / kCorners; ++token) {
    const Terms terms =
        terms_of(config, boxes.data() + kCorners * token, position_of(config, positions, token));
    detail::WeightedRow rows[7];
    for (std::size_t i = 0; i < terms.count; ++i) {
      const auto row = static_cast<std::size_t>(terms.list[i].row);
      rows[i] = {1.0, terms.list[i].rows, row * config.dim};
    }
    visit(token, std::span<const detail::WeightedRow>(rows, terms.count));
  }
}

}  // namespace

Status check(const LayoutBoxesConfig& config) noexcept {
  POSENC_RETURN_IF_FAILED(detail::check_width(kName, "dim", config.dim));
  POSENC_RETURN_IF_FAILED(check_table(config, "x_rows", config.x_rows));
  POSENC_RETURN_IF_FAILED(check_table(config, "y_rows", config.y_rows));
  POSENC_RETURN_IF_FAILED(check_table(config, "height_rows", config.height_rows));
  POSENC_RETURN_IF_FAILED(check_table(config, "width_rows", config.width_rows));
  if (config.position_rows.empty()) return {};
  return check_table(config, "position_rows", config.position_rows);
}

LayoutBoxes::LayoutBoxes(const LayoutBoxesConfig& config) : config_(config) {
  check(config).or_throw();
}

Status LayoutBoxes::table(std::span<const std::int32_t> boxes, const Positions& positions,
                          Floats out) const noexcept {
  POSENC_RETURN_IF_FAILED(check_call(config_, boxes, positions, "out", out));
  visit_tokens(config_, boxes, positions,
               [&](std::size_t token, std::span<const detail::WeightedRow> rows) {
                 detail::write_sum(rows, config_.dim, out, token * config_.dim);
               });
  return {};
}

Status LayoutBoxes::add(std::span<const std::int32_t> boxes, const Positions& positions,
                        Floats x) const noexcept {
  POSENC_RETURN_IF_FAILED(check_call(config_, boxes, positions, "x", x));
  visit_tokens(config_, boxes, positions,
               [&](std::size_t token, std::span<const detail::WeightedRow> rows) {
                 detail::add_sum(rows, config_.dim, x, token * config_.dim);
               });
  return {};
}

Result<LayoutBoxes> make(const LayoutBoxesConfig& config) noexcept {
  return make_result<LayoutBoxes>(config, {kName, "dim", config.dim});
}

}  // namespace posenc
