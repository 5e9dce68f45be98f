// rope_scaling and rope_parameters: frequencies by the rules' own formulas, aliases, both forms.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { explain, sole } from "./explain.mjs";
import { difference } from "./judge.mjs";

const width = 64;
const llama = {
  model_type: "llama",
  hidden_size: 256,
  num_attention_heads: 4,
  max_position_embeddings: 4096,
};
const pairs = Array.from({ length: width / 2 }, (_, i) => i);
const plain = (base = 10000) => pairs.map((i) => base ** ((-2 * i) / width));

/** The rope of llama with a scaling, and the warnings. */
function scaled(rope_scaling, more = {}) {
  const [result] = explain({ ...llama, rope_scaling, ...more });
  return {
    ...sole(result),
    warnings: result.warnings.map(({ code, field }) => `${code} ${field}`),
  };
}
const assertClose = (got, want) => assert.equal(difference(want, got), "");
/** The error of a scaling: its code, its field within rope_scaling, and its message. */
function failure(rope_scaling, more = {}) {
  const [{ error }] = explain({ ...llama, rope_scaling, ...more });
  return `${error.code} ${error.field.replace("rope_scaling.", "")}`;
}

describe("linear", () => {
  test("divides every frequency", () => {
    const { params } = scaled({ rope_type: "linear", factor: 4 });
    assertClose(
      params.inv_freq,
      plain().map((x) => x / 4),
    );
    assert.deepEqual(params.scaling, { type: "linear", factor: 4 });
    assert.equal(params.attention_factor, 1);
  });

  test("a factor below 1 is told, and read", () => {
    const { params, warnings } = scaled({ type: "linear", factor: 0.25 });
    assertClose(params.inv_freq[0], 4);
    assert.deepEqual(warnings, ["W_FACTOR_LT_ONE rope_scaling.factor"]);
  });
});

describe("dynamic NTK", () => {
  test("grows the base with lengths beyond max_position_embeddings", () => {
    const { params } = scaled({ rope_type: "dynamic", factor: 2 });
    for (const times of [1, 2, 4]) {
      const base = 10000 * (2 * times - 1) ** (width / (width - 2));
      assertClose(params.inv_freq_by_seq_len[4096 * times], plain(base));
    }
    assert.equal(params.inv_freq, undefined);
  });

  test("cannot shorten", () => {
    assert.equal(failure({ rope_type: "dynamic", factor: 0.5 }), "E_FIELD_RANGE factor");
  });
});

/** YaRN's ramp between the pairs that keep their frequency and those that are divided. */
function yarn({ factor, original, fast = 32, slow = 1, truncate = true, base = 10000 }) {
  const dimOf = (turns) =>
    (width * Math.log(original / (turns * 2 * Math.PI))) / (2 * Math.log(base));
  const [low, high] = truncate
    ? [Math.floor(dimOf(fast)), Math.ceil(dimOf(slow))]
    : [dimOf(fast), dimOf(slow)];
  const [lo, hi] = [Math.max(low, 0), Math.min(high, width - 1)];
  return plain(base).map((x, i) => {
    const ramp = Math.min(1, Math.max(0, (i - lo) / (hi - lo)));
    return (x / factor) * ramp + x * (1 - ramp);
  });
}
const yarnScale = (factor, mscale = 1) => 0.1 * mscale * Math.log(factor) + 1;

describe("YaRN", () => {
  const four = { rope_type: "yarn", factor: 4, original_max_position_embeddings: 1024 };

  test("ramps between whole pairs, and scales cosines and sines by 0.1 ln f + 1", () => {
    const { params, warnings } = scaled(four);
    assertClose(params.inv_freq, yarn({ factor: 4, original: 1024 }));
    assertClose(params.attention_factor, yarnScale(4));
    assert.deepEqual(warnings, []);
  });

  test("beta_fast, beta_slow and truncate move the ramp", () => {
    const { params } = scaled({ ...four, beta_fast: 16, beta_slow: 2, truncate: false });
    const ramp = { factor: 4, original: 1024, fast: 16, slow: 2, truncate: false };
    assertClose(params.inv_freq, yarn(ramp));
    assert.equal(params.scaling.beta_fast, 16);
    assert.equal(params.scaling.beta_slow, 2);
    assert.equal(params.scaling.truncate, false);
  });

  test("null betas, and those of 0, are the usual 32 and 1", () => {
    for (const beta of [null, 0]) {
      const { params } = scaled({ ...four, beta_fast: beta, beta_slow: beta });
      assertClose(params.inv_freq, yarn({ factor: 4, original: 1024 }));
    }
  });

  test("a null or missing factor is max_position_embeddings by the original length", () => {
    const { factor, ...rest } = four;
    for (const scaling of [{ ...four, factor: null }, rest]) {
      const { params } = scaled(scaling);
      assert.equal(params.scaling.factor, factor);
      assertClose(params.attention_factor, yarnScale(4));
    }
  });

  test("without an original length max_position_embeddings is it", () => {
    const { params, warnings } = scaled({ rope_type: "yarn", factor: 4 });
    assertClose(params.inv_freq, yarn({ factor: 4, original: 4096 }));
    assert.deepEqual(warnings, ["W_FACTOR_LENGTH_MISMATCH rope_scaling.factor"]);
  });

  test("the original length may stand beside rope_scaling", () => {
    const { params } = scaled(
      { rope_type: "yarn", factor: 4 },
      { original_max_position_embeddings: 1024 },
    );
    assert.equal(params.scaling.original_max_position, 1024);
  });

  test("an attention_factor counts before mscale", () => {
    const { params } = scaled({ ...four, attention_factor: 0.5, mscale: 2, mscale_all_dim: 1 });
    assert.equal(params.attention_factor, 0.5);
  });

  test("mscale and mscale_all_dim count only both, and when neither is 0", () => {
    const both = scaled({ ...four, mscale: 2, mscale_all_dim: 0.5 });
    assertClose(both.params.attention_factor, yarnScale(4, 2) / yarnScale(4, 0.5));
    for (const [mscale, mscale_all_dim] of [[2], [0, 1], [2, 0]]) {
      const { params } = scaled({ ...four, mscale, mscale_all_dim });
      assertClose(params.attention_factor, yarnScale(4));
    }
  });

  test("DeepSeek's own name of it is an alias", () => {
    const { params, warnings } = scaled({ ...four, rope_type: "deepseek_yarn" });
    assertClose(params.inv_freq, yarn({ factor: 4, original: 1024 }));
    assert.deepEqual(warnings, ["W_ROPE_TYPE_ALIAS rope_scaling.rope_type"]);
  });
});

describe("LongRoPE", () => {
  const lists = {
    short_factor: pairs.map((i) => 1 + i / 10),
    long_factor: pairs.map((i) => 2 + i),
  };
  const by = (list) => plain().map((x, i) => x / list[i]);

  test("a list for lengths up to the original, one beyond it", () => {
    const { params } = scaled(
      { type: "longrope", ...lists },
      { original_max_position_embeddings: 1024 },
    );
    assertClose(params.inv_freq_short, by(lists.short_factor));
    assertClose(params.inv_freq_long, by(lists.long_factor));
    const factor = Math.sqrt(1 + Math.log(4) / Math.log(1024));
    assertClose(params.attention_factor, factor);
    assert.equal(params.scaling.factor, 4);
  });

  test("a factor counts where the original length is rope_scaling's own", () => {
    const original_max_position_embeddings = 1024;
    const { params } = scaled({
      rope_type: "longrope",
      factor: 8,
      original_max_position_embeddings,
      ...lists,
    });
    assertClose(params.attention_factor, Math.sqrt(1 + Math.log(8) / Math.log(1024)));
  });

  test("su is an old name of it; short_mscale and long_mscale differ", () => {
    const mscales = { short_mscale: 1.25, long_mscale: 1.5 };
    const { params, warnings } = scaled(
      { type: "su", ...lists, ...mscales },
      { original_max_position_embeddings: 1024 },
    );
    assert.deepEqual(warnings, ["W_ROPE_TYPE_ALIAS rope_scaling.type"]);
    assert.equal(params.attention_factor_short, 1.25);
    assert.equal(params.attention_factor_long, 1.5);
    assert.equal(params.attention_factor, undefined);
  });

  test("attention_factor is of both lists", () => {
    const { params } = scaled({ type: "longrope", attention_factor: 1.125, ...lists });
    assert.equal(params.attention_factor, 1.125);
  });

  test("yarn is Phi-3's old name of it, and nobody else's", () => {
    const four = { type: "yarn", factor: 4, original_max_position_embeddings: 1024 };
    for (const model_type of ["phi3", "phi3_v", "phi4mm", "phimoe"]) {
      const { params } = scaled({ ...four, ...lists }, { model_type });
      assert.equal(params.scaling.type, "longrope", model_type);
    }
    assert.equal(scaled({ ...four, ...lists }).params.scaling.type, "yarn");
  });

  test("both lists must be there, with an entry for each pair", () => {
    const { short_factor, long_factor } = lists;
    assert.equal(failure({ type: "longrope", short_factor }), "E_FIELD_MISSING long_factor");
    assert.equal(failure({ type: "longrope", long_factor }), "E_FIELD_MISSING short_factor");
    const long = { short_factor, long_factor: [...long_factor, 1] };
    assert.equal(failure({ type: "longrope", ...long }), "E_ROPE_FACTOR_LENGTH long_factor");
  });
});

describe("llama3", () => {
  const eight = {
    rope_type: "llama3",
    factor: 8,
    low_freq_factor: 1,
    high_freq_factor: 4,
    original_max_position_embeddings: 1024,
  };

  test("short waves are kept, long ones divided, those between blended", () => {
    const { params } = scaled(eight);
    const want = plain().map((x) => {
      const turns = (1024 * x) / (2 * Math.PI);
      const blend = Math.min(1, Math.max(0, (turns - 1) / 3));
      return (1 - blend) * (x / 8) + blend * x;
    });
    assertClose(params.inv_freq, want);
    assert.equal(params.attention_factor, 1);
  });

  test("each of its fields must be there", () => {
    for (const name of Object.keys(eight).slice(1)) {
      const { [name]: _, ...rest } = eight;
      assert.equal(failure(rest), `E_FIELD_MISSING ${name}`);
    }
  });

  test("its bounds must be in order", () => {
    assert.equal(failure({ ...eight, low_freq_factor: 5 }), "E_FIELD_RANGE high_freq_factor");
  });
});

test("proportional: the exponent is over the whole head, and the rest stays at 0", () => {
  const { params } = scaled({ rope_type: "proportional", partial_rotary_factor: 0.25, factor: 2 });
  const rotating = (0.25 * width) / 2;
  assertClose(
    params.inv_freq,
    plain().map((x, i) => (i < rotating ? x / 2 : 0)),
  );
  assert.equal(params.rotary_dim, width);
});

describe("forms", () => {
  test("rope_type counts before type, and default and null scale nothing", () => {
    const { params, warnings } = scaled({ type: "linear", rope_type: "default", factor: 2 });
    assert.deepEqual(params.scaling, { type: "none" });
    assert.deepEqual(warnings, ["W_ROPE_TYPE_CONFLICT rope_scaling.type"]);
    assert.deepEqual(scaled(null).params.scaling, { type: "none" });
  });

  test("an empty object scales nothing, with a warning", () => {
    const { params, warnings } = scaled({});
    assert.deepEqual(params.scaling, { type: "none" });
    assert.deepEqual(warnings, ["W_ROPE_SCALING_EMPTY rope_scaling"]);
  });

  test("rope_parameters hold the base, the share that rotates and the scaling", () => {
    const rope_parameters = {
      rope_theta: 5e5,
      rope_type: "linear",
      factor: 2,
      partial_rotary_factor: 0.5,
    };
    const { params, sources } = scaled(undefined, { rope_parameters, rope_theta: 77 });
    assert.equal(params.base, 5e5);
    assert.equal(params.rotary_dim, width / 2);
    assert.deepEqual(params.scaling, { type: "linear", factor: 2 });
    assert.deepEqual(sources.base, { kind: "config", from: "rope_parameters.rope_theta" });
    assert.deepEqual(sources.scaling, { kind: "config", from: "rope_parameters" });
  });

  test("an unknown type and a factor without a type are errors", () => {
    assert.equal(failure({ rope_type: "cubic", factor: 2 }), "E_ROPE_TYPE_UNKNOWN rope_type");
    assert.equal(failure({ factor: 2 }), "E_FIELD_MISSING rope_type");
  });
});
