#include "posenc/model/position_tables.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>
#include <utility>

#include "posenc/model/shown_name.hpp"

namespace posenc {
namespace {

using detail::ShownName;

struct UsualName {
  std::string_view name;
  TableKind kind;
};
/// Where each was seen: transformers, timm, torchvision, OpenAI's CLIP and Whisper, MAE, SAM.
constexpr UsualName kUsualNames[] = {
    {"wpe.weight", TableKind::absolute},
    {"position_embeddings.weight", TableKind::absolute},
    {"position_embeddings", TableKind::absolute},
    {"embed_positions.weight", TableKind::absolute},
    {"positions_embed.weight", TableKind::absolute},
    {"position_embedding.weight", TableKind::absolute},
    {"position_embedding", TableKind::absolute},
    {"positional_embedding", TableKind::absolute},
    {"pos_embed", TableKind::absolute},
    {"pos_embed.weight", TableKind::absolute},
    {"pos_embedding", TableKind::absolute},
    {"pos_embedding.weight", TableKind::absolute},
    {"absolute_pos_embed", TableKind::absolute},
    {"decoder_pos_embed", TableKind::absolute},
    {"x_position_embeddings.weight", TableKind::box_x},
    {"y_position_embeddings.weight", TableKind::box_y},
    {"h_position_embeddings.weight", TableKind::box_height},
    {"w_position_embeddings.weight", TableKind::box_width},
    {"relative_attention_bias.weight", TableKind::t5},
    {"rel_attn_embed.weight", TableKind::t5},
    {"relative_position_bias_table", TableKind::swin},
    {"rel_pos_h", TableKind::decomposed_height},
    {"rel_pos_w", TableKind::decomposed_width},
    {"rel_embeddings.weight", TableKind::deberta},
    {"distance_embedding.weight", TableKind::shaw},
};

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// "encoder.block.*.attention" of "encoder.block.11.attention".
std::string site_of(std::string_view name) {
  std::string site;
  site.reserve(name.size());
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (!is_digit(name[i]) || (i > 0 && name[i - 1] != '.')) {
      site += name[i];
      continue;
    }
    const std::size_t end = std::min(name.find_first_not_of("0123456789", i), name.size());
    const bool is_number = end == name.size() || name[end] == '.';
    site.append(is_number ? "*" : name.substr(i, end - i));
    i = end - 1;
  }
  return site;
}

/// Numbers by their value, everything else by its characters: "h.2.x" before "h.10.x".
bool comes_before(std::string_view a, std::string_view b) noexcept {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      const auto number = [](std::string_view text, std::size_t& at) {
        at = std::min(text.find_first_not_of('0', at), text.size());
        const std::size_t first = at;
        while (at < text.size() && is_digit(text[at])) ++at;
        return text.substr(first, at - first);
      };
      const std::string_view x = number(a, i), y = number(b, j);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
    } else {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i;
      ++j;
    }
  }
  return a.size() - i < b.size() - j || (a.size() - i == b.size() - j && a < b);
}

bool is_usual(std::string_view tensor, std::string_view usual) noexcept {
  return tensor.ends_with(usual) &&
         (tensor.size() == usual.size() || tensor[tensor.size() - usual.size() - 1] == '.');
}

bool holds_floats(const TensorView& tensor) noexcept {
  return tensor.type == ElementType::float32 || tensor.type == ElementType::float16 ||
         tensor.type == ElementType::bfloat16 || tensor.type == ElementType::float64;
}

std::optional<PositionTable> as_table(const TensorView& tensor) {
  if (tensor.shape.size() < 2 || !holds_floats(tensor) || tensor.size() == 0) return std::nullopt;
  const auto* usual = std::ranges::find_if(
      kUsualNames, [&](const UsualName& known) { return is_usual(tensor.name, known.name); });
  if (usual == std::end(kUsualNames)) return std::nullopt;
  const std::size_t dim = tensor.shape.back();
  return PositionTable{.kind = usual->kind,
                       .site = site_of(tensor.name),
                       .tensor = tensor,
                       .rows = tensor.size() / dim,
                       .dim = dim};
}

/// The names that fit a message, "a, b and 12 more".
class NameList {
 public:
  void add(std::string_view name) noexcept {
    const ShownName shown(name);
    const std::size_t size = std::strlen(shown.c_str()) + (count_ > 0 ? 2 : 0);
    if (left_out_ == 0 && used_ + size + kRest < sizeof text_) {
      used_ += static_cast<std::size_t>(std::snprintf(text_ + used_, sizeof text_ - used_, "%s%s",
                                                      count_ > 0 ? ", " : "", shown.c_str()));
      ++count_;
    } else {
      ++left_out_;
    }
  }

  const char* c_str() noexcept {
    if (left_out_ > 0) {
      (void)std::snprintf(text_ + used_, sizeof text_ - used_, " and %zu more", left_out_);
    }
    return text_;
  }

 private:
  /// Room for the last words.
  static constexpr std::size_t kRest = 30;

  char text_[128] = "";
  std::size_t used_ = 0;
  std::size_t count_ = 0;
  std::size_t left_out_ = 0;
};

Status none_fits(std::span<const TensorView> tensors, const std::vector<PositionTable>& tables) {
  NameList names;
  if (tables.empty()) {
    for (const TensorView& tensor : tensors) names.add(tensor.name);
    return Status::failure(Code::value_range, "table",
                           "table: no tensor has a usual name, there are: %s",
                           tensors.empty() ? "none" : names.c_str());
  }
  for (const PositionTable& table : tables) names.add(table.tensor.name);
  return Status::failure(Code::value_range, "table", "table: none is as asked for, there are: %s",
                         names.c_str());
}

Result<PositionTable> find(std::span<const TensorView> tensors, const TableQuery& query) {
  std::vector<PositionTable> tables = position_tables(tensors);
  const auto fits = [&](const PositionTable& table) {
    return (!query.kind || *query.kind == table.kind) &&
           table.tensor.name.find(query.within) != std::string::npos;
  };
  const PositionTable* found = nullptr;
  const PositionTable* site = nullptr;
  NameList sites;
  std::size_t site_count = 0;
  for (const PositionTable& table : tables) {
    if (!fits(table)) continue;
    if (found == nullptr) found = &table;
    if (site != nullptr && site->kind == table.kind && site->site == table.site) continue;
    site = &table;
    ++site_count;
    sites.add(table.tensor.name);
  }
  if (found == nullptr) return none_fits(tensors, tables);
  if (site_count == 1) return PositionTable(*found);
  return Status::failure(Code::value_range, "table", "table: %zu fit, say which: %s", site_count,
                         sites.c_str());
}

}  // namespace

std::string_view table_kind_name(TableKind kind) noexcept {
  constexpr std::string_view kNames[] = {
      "absolute",         "box_x",   "box_y", "box_height",
      "box_width",        "t5",      "swin",  "decomposed_height",
      "decomposed_width", "deberta", "shaw"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::vector<PositionTable> position_tables(std::span<const TensorView> tensors) {
  std::vector<PositionTable> tables;
  for (const TensorView& tensor : tensors) {
    std::optional<PositionTable> table = as_table(tensor);
    if (table) tables.push_back(*std::move(table));
  }
  std::ranges::sort(tables, [](const PositionTable& a, const PositionTable& b) {
    if (a.kind != b.kind) return a.kind < b.kind;
    if (a.site != b.site) return a.site < b.site;
    return comes_before(a.tensor.name, b.tensor.name);
  });
  return tables;
}

Result<PositionTable> find_position_table(std::span<const TensorView> tensors,
                                          const TableQuery& query) noexcept {
  try {
    return find(tensors, query);
  } catch (const std::bad_alloc&) {
    return Status::failure(Code::out_of_memory, "table",
                           "table: names need more memory than could be had");
  }
}

}  // namespace posenc
