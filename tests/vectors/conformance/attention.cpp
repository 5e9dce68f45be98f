#include "posenc/attention/attention.hpp"

#include "conformance/families.hpp"
#include "posenc/rotary/rope.hpp"

namespace posenc::conformance {
namespace {

std::optional<double> scale_of(Case& c) {
  if (c.any("scale") == "1/sqrt(head_dim)") return std::nullopt;
  return c.number("scale");
}

/// The parameter `rope`, {"layout", "base", "positions"}: rotates q, the last of the positions, and
/// k in place.
void rotate(const Json& json, std::size_t head_dim, Tensor& q, Tensor& k) {
  if (!json.is_object()) malformed("parameter \"rope\" must be an object");
  std::vector<double> positions;
  RopeConfig config{.head_dim = head_dim};
  for (const auto& [name, value] : json.items()) {
    const std::string word = value.is_string() ? value.get<std::string>() : "";
    if (name == "layout" && (word == "half" || word == "interleaved")) {
      config.layout = word == "half" ? RopeLayout::half : RopeLayout::interleaved;
    } else if (name == "base") {
      config.base = number_of(value, "rope: base");
    } else if (name == "positions" && value.is_array()) {
      for (const Json& position : value) positions.push_back(number_of(position, "a position"));
    } else {
      unsupported("parameter \"rope\": " + Json(name).dump() + " has the unsupported value " +
                  shown(value));
    }
  }
  const std::size_t queries = q.shape[1];
  if (positions.size() != k.shape[1] || queries > positions.size()) {
    malformed("parameter \"rope\" must have a position for each key");
  }
  const Rope rope(config);
  const Positions all = Positions::of(std::span<const double>(positions));
  rope.apply(std::span(q.values),
             {.heads = q.shape[0], .positions = all.slice(positions.size() - queries, queries)})
      .or_throw();
  rope.apply(std::span(k.values), {.heads = k.shape[0], .positions = all}).or_throw();
}

/// The input `bias` contains the mask; `bias` among the params and what stands beside it say how it
/// was made.
Tensor bias_of(Case& c, const Shape& shape) {
  if (!c.has_input("bias")) {
    c.one_of("bias", {"none"});
    return {};
  }
  c.describes({"bias", "table", "bidirectional", "num_buckets", "max_distance", "window"});
  return c.input("bias", shape);
}

void attention_case(Case& c) {
  AttentionArgs args{.heads = c.size("heads"),
                     .query_count = c.size("query_len"),
                     .key_count = c.size("key_len"),
                     .head_dim = c.size("head_dim"),
                     .scale = scale_of(c)};
  Tensor q = c.input("q", {args.heads, args.query_count, args.head_dim});
  Tensor k = c.input("k", {args.heads, args.key_count, args.head_dim});
  const Tensor v = c.input("v", {args.heads, args.key_count, args.head_dim});
  if (c.has("rope")) rotate(c.any("rope"), args.head_dim, q, k);
  const Shape scores{args.heads, args.query_count, args.key_count};
  const Tensor bias = bias_of(c, scores);
  args.terms.bias = bias.values;
  std::vector<float> workspace = c.room({attention_workspace_size(args)});
  std::vector<float> probs = c.room(scores);
  std::vector<float> out = c.room(q.shape);
  attention(q.values, k.values, v.values, out, args, workspace, probs).or_throw();
  c.output("probs", scores, probs);
  c.output("out", q.shape, out);
}

constexpr Family kFamilies[] = {
    {"attention", attention_case},
    {"rope_shift", attention_case},
};

}  // namespace

std::span<const Family> attention_families() { return kFamilies; }

}  // namespace posenc::conformance
