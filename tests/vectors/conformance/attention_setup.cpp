#include "conformance/attention_setup.hpp"

#include <algorithm>
#include <string>

#include "posenc/bias/alibi.hpp"
#include "posenc/relative/shaw.hpp"
#include "posenc/rotary/rope.hpp"

namespace posenc::conformance {
namespace {

/// A parameter that may be null, or an object with no other members than these.
const Json* part_of(Case& c, const std::string& name, std::initializer_list<const char*> members) {
  if (!c.has(name) || c.any(name).is_null()) return nullptr;
  const Json& part = c.any(name);
  if (!part.is_object()) malformed("parameter \"" + name + "\" must be an object");
  for (const auto& [member, value] : part.items()) {
    if (std::find(members.begin(), members.end(), member) != members.end()) continue;
    unsupported("parameter \"" + name + "\": " + Json(member).dump() + " is not supported");
  }
  return &part;
}

const Json& member_of(const Json& part, const char* name, const std::string& member) {
  if (!part.contains(member)) malformed(std::string(name) + ": " + member + " is missing");
  return part[member];
}

std::vector<double> positions_of(const Json& part, const char* name, std::size_t count) {
  const Json& list = member_of(part, "rope", name);
  if (!list.is_array() || list.size() != count) {
    malformed(std::string("rope: ") + name + " must be an array of a position for each row");
  }
  std::vector<double> positions;
  positions.reserve(count);
  for (const Json& position : list) positions.push_back(number_of(position, "a position"));
  return positions;
}

}  // namespace

std::int64_t AttentionSetup::first_distance() const {
  return -(*args.query_offset + static_cast<std::int64_t>(args.query_count));
}

AttentionSetup::AttentionSetup(Case& c) {
  args.heads = c.size("heads");
  args.kv_heads = c.size("kv_heads");
  args.query_count = c.size("query_len");
  args.key_count = c.size("key_len");
  args.head_dim = c.size("head_dim");
  args.value_dim = c.size("value_dim");
  args.causal = c.flag("causal");
  args.query_offset = c.whole("query_offset");
  if (!c.any("window").is_null()) args.window = c.size("window");
  if (c.has("softcap") && !c.any("softcap").is_null()) args.softcap = c.number("softcap");
  q = c.input("q", {args.heads, args.query_count, args.head_dim});
  k = c.input("k", {args.kv_heads, args.key_count, args.head_dim});
  v = c.input("v", {args.kv_heads, args.key_count, args.value_dim});
  set_scale(c);
  add_mask(c);
  add_alibi(c);
  add_t5(c);
  add_shaw(c);
  add_rope(c);
}

void AttentionSetup::add_mask(Case& c) {
  if (!c.has_input("key_mask")) return;
  for (const std::int64_t seen : c.whole_input("key_mask")) mask_.push_back(seen != 0 ? 1 : 0);
  args.key_mask = mask_;
}

/// Slopes of the input, or those of the heads; by distance, or BLOOM's by key.
void AttentionSetup::add_alibi(Case& c) {
  if (!c.has("alibi") || c.any("alibi").is_null()) return;
  AlibiConfig config{.heads = args.heads, .form = AlibiForm::symmetric};
  std::string form = "relative";
  if (c.has_input("slopes")) {
    c.one_of("alibi", {"bias = -slopes[head]*|i-j|"});
    const Tensor slopes = c.input("slopes", {args.heads});
    config.custom_slopes.assign(slopes.values.begin(), slopes.values.end());
  } else {
    const Json& part = *part_of(c, "alibi", {"form", "order"});
    const Json& order = member_of(part, "alibi", "order");
    if (order != "paper/BLOOM") {
      unsupported("parameter \"alibi\": \"order\" has the unsupported value " + shown(order));
    }
    const Json& given = member_of(part, "alibi", "form");
    if (given != "relative" && given != "key") {
      unsupported("parameter \"alibi\": \"form\" has the unsupported value " + shown(given));
    }
    form = given.get<std::string>();
  }
  const Alibi alibi(config);
  if (form == "relative") {
    distances_ = c.room({args.heads, distance_count()});
    alibi.distances(first_distance(), distances_).or_throw();
    args.terms.distances = distances_;
    args.terms.first_distance = first_distance();
    return;
  }
  std::vector<std::int64_t> positions;
  std::int64_t sum = 0;
  for (std::size_t key = 0; key < args.key_count; ++key) {
    const std::int64_t seen = mask_.empty() ? 1 : mask_[key];
    sum += seen;
    positions.push_back((sum - 1) * seen);
  }
  key_bias_ = c.room({args.heads, args.key_count});
  alibi.key_bias(Positions::of(std::span<const std::int64_t>(positions)), key_bias_).or_throw();
  args.terms.key_bias = key_bias_;
}

void AttentionSetup::add_t5(Case& c) {
  const Json* part = part_of(c, "t5", {"num_buckets", "max_distance", "bidirectional"});
  if (part == nullptr) return;
  T5Config config{.heads = args.heads};
  const Json& bidirectional = member_of(*part, "t5", "bidirectional");
  if (!bidirectional.is_boolean()) malformed("t5: bidirectional must be true or false");
  config.bidirectional = bidirectional.get<bool>();
  config.num_buckets = size_of(member_of(*part, "t5", "num_buckets"), "t5: num_buckets");
  config.max_distance = whole_of(member_of(*part, "t5", "max_distance"), "t5: max_distance");
  t5_ = config;
  const Tensor table = c.input("table", {config.num_buckets, args.heads});
  config.table = table.values;
  distances_ = c.room({args.heads, distance_count()});
  T5(config).distances(first_distance(), distances_).or_throw();
  args.terms.distances = distances_;
  args.terms.first_distance = first_distance();
}

void AttentionSetup::add_shaw(Case& c) {
  const Json* part = part_of(c, "shaw", {"max_relative_position", "value_embeddings"});
  if (part == nullptr) return;
  const std::size_t reach =
      size_of(member_of(*part, "shaw", "max_relative_position"), "shaw: max_relative_position");
  const std::size_t rows = 2 * reach + 1;
  relative_keys_ = c.input("rel_k", {rows, args.head_dim});
  if (member_of(*part, "shaw", "value_embeddings") == true) {
    relative_values_ = c.input("rel_v", {rows, args.value_dim});
  }
  const Shaw shaw(
      {.head_dim = args.head_dim, .max_relative_position = reach, .keys = relative_keys_.values});
  index_.resize(distance_count());
  shaw.index(Positions::from(0, 1), Positions::from(first_distance(), distance_count()), index_)
      .or_throw();
  args.terms.relative = {.index = index_,
                         .first_distance = first_distance(),
                         .row_count = rows,
                         .keys = relative_keys_.values,
                         .values = relative_values_.values};
}

void AttentionSetup::add_rope(Case& c) {
  const Json* part =
      part_of(c, "rope",
              {"layout", "base", "rotary_dim", "rotary_start", "query_positions", "key_positions"});
  if (part == nullptr) return;
  RopeConfig config{.head_dim = args.head_dim};
  const Json& layout = member_of(*part, "rope", "layout");
  if (layout != "half" && layout != "interleaved") {
    unsupported("parameter \"rope\": \"layout\" has the unsupported value " + shown(layout));
  }
  config.layout = layout == "half" ? RopeLayout::half : RopeLayout::interleaved;
  config.base = number_of(member_of(*part, "rope", "base"), "rope: base");
  config.rotary_dim = size_of(member_of(*part, "rope", "rotary_dim"), "rope: rotary_dim");
  if (part->contains("rotary_start")) {
    config.rotary_start = size_of((*part)["rotary_start"], "rope: rotary_start");
  }
  const Rope rope(config);
  const auto fill = [&](const char* name, std::size_t count, std::vector<float>& cos,
                        std::vector<float>& sin) {
    const std::vector<double> positions = positions_of(*part, name, count);
    cos = sin = c.room({count, config.rotary_dim / 2});
    rope.angles(Positions::of(std::span<const double>(positions)), cos, sin).or_throw();
  };
  fill("query_positions", args.query_count, query_cos_, query_sin_);
  fill("key_positions", args.key_count, key_cos_, key_sin_);
  args.rotary = {.query_cos = query_cos_,
                 .query_sin = query_sin_,
                 .key_cos = key_cos_,
                 .key_sin = key_sin_,
                 .rotary_dim = config.rotary_dim,
                 .rotary_start = config.rotary_start,
                 .layout = config.layout};
}

/// Given, or DeepSeek's.
void AttentionSetup::set_scale(Case& c) {
  const Json* part = part_of(c, "deepseek", {"factor", "mscale_all_dim"});
  if (part == nullptr) {
    args.scale = c.number("scale");
    return;
  }
  c.one_of("scale", {nullptr});
  const double factor = number_of(member_of(*part, "deepseek", "factor"), "deepseek: factor");
  const double all_dim =
      number_of(member_of(*part, "deepseek", "mscale_all_dim"), "deepseek: mscale_all_dim");
  const Rope rope(
      {.head_dim = args.head_dim,
       .scaling = Yarn{
           .factor = factor, .original_max_position_embeddings = 4096, .mscale_all_dim = all_dim}});
  args.scale = rope.softmax_scale();
  c.output("scale", rope.softmax_scale());
}

}  // namespace posenc::conformance
