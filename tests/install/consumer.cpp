// What a user's program looks like: every encoding, attention, and errors both ways.

#include <cstdio>
#include <posenc/posenc.hpp>
#include <string_view>
#include <vector>

namespace {

/// Rotates q and k, makes a distance vector, and attends.
void run() {
  constexpr std::size_t heads = 4, length = 6, head_dim = 8;
  std::vector<float> q(heads * length * head_dim, 0.5F), k = q, v = q, out = q;
  const posenc::Rope rope({.head_dim = head_dim, .base = 500000.0});
  const posenc::RotaryArgs args{.heads = heads, .positions = posenc::Positions::from(0, length)};
  rope.apply(std::span<float>(q), args).or_throw();
  rope.apply(k, args).or_throw();

  const posenc::Alibi alibi({.heads = heads});
  std::vector<float> distances(heads * length);
  alibi.distances(1 - static_cast<std::int64_t>(length), distances).or_throw();
  const posenc::AttentionArgs attention{
      .heads = heads,
      .query_count = length,
      .key_count = length,
      .head_dim = head_dim,
      .causal = true,
      .terms = {.distances = distances, .first_distance = 1 - static_cast<std::int64_t>(length)}};
  std::vector<float> workspace(posenc::attention_workspace_size(attention));
  posenc::attention(q, k, v, out, attention, workspace).or_throw();

  std::vector<float> table(length * head_dim);
  posenc::Sinusoidal({.dim = head_dim}).table(args.positions, table).or_throw();
  posenc::Learned({.rows = table, .dim = head_dim})
      .add(args.positions, std::span(out).first(48))
      .or_throw();
  const posenc::T5 t5({.heads = heads, .bidirectional = true});
  std::printf("posenc %s, kernels %s: %g, bucket %d\n", posenc::version().data(),
              posenc::kernel_name().data(), static_cast<double>(out[0]), t5.bucket(-64));
}

}  // namespace

int main() {
  run();
  const auto bad = posenc::make(posenc::RopeConfig{.head_dim = 63});
  if (bad.ok() || bad.status().message() != "rope: head_dim must be even, got 63") return 1;
  try {
    const posenc::Alibi none({});
    return 2;
  } catch (const posenc::Error& error) {
    return std::string_view(error.what()) == "alibi: heads must be 1 to 16777216, got 0" ? 0 : 3;
  }
}
