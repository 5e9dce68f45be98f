// Quirks of models with tables of positions, and of those whose scores know distances.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { explain, sole } from "./explain.mjs";
import { slopes } from "./facts/bias.mjs";
import { difference } from "./judge.mjs";

const result = (config) => explain(config)[0];
const failure = (config) => {
  const { error } = result(config);
  return `${error.code} ${error.field}`;
};

describe("position_embedding_type of BERT and its like", () => {
  const bert = { hidden_size: 64, num_attention_heads: 4, max_position_embeddings: 10 };
  const types = ["bert", "albert", "electra", "roberta", "xlm-roberta", "camembert", "esm"];

  test("relative_key has a row for each distance, and the query's term", () => {
    for (const model_type of types) {
      const config = { model_type, ...bert, position_embedding_type: "relative_key" };
      const { encoding, params } = sole(result(config));
      assert.equal(encoding, "shaw", model_type);
      const { rows, left_clip, right_clip, terms, dim } = params;
      assert.deepEqual(
        { rows, left_clip, right_clip, dim },
        { rows: 19, left_clip: 9, right_clip: 9, dim: 16 },
      );
      assert.deepEqual(terms, ["query"]);
    }
  });

  test("relative_key_query has the key's term too", () => {
    const config = { model_type: "bert", ...bert, position_embedding_type: "relative_key_query" };
    assert.deepEqual(sole(result(config)).params.terms, ["query", "key"]);
  });

  test("alibi, of jina's BERT, holds in both directions", () => {
    const config = { model_type: "bert", ...bert, position_embedding_type: "alibi" };
    const { encoding, params, attention } = sole(result(config));
    assert.equal(encoding, "alibi");
    assert.equal(params.form, "symmetric");
    assert.equal(attention.causal, false);
    assert.equal(difference(slopes(4, 8), params.slopes), "");
  });

  test("absolute and null are the table; other words are errors", () => {
    for (const position_embedding_type of ["absolute", null]) {
      const config = { model_type: "bert", ...bert, position_embedding_type };
      assert.equal(sole(result(config)).encoding, "learned");
    }
    assert.equal(
      failure({ model_type: "bert", ...bert, position_embedding_type: "rotary" }),
      "E_POSITION_TYPE_UNKNOWN position_embedding_type",
    );
  });

  test("rotary, of ESM 2, is a rope without a base of its own", () => {
    const rotary = { model_type: "esm", ...bert, position_embedding_type: "rotary" };
    const { encoding, params } = sole(result({ ...rotary, rope_theta: 5 }));
    assert.equal(encoding, "rope");
    const { base, head_dim, rotary_dim, layout, causal } = params;
    assert.deepEqual([base, head_dim, rotary_dim, layout, causal], [10000, 16, 16, "half", false]);
  });
});

test("DistilBERT: sinusoidal_pos_embds makes interleaved sinusoids", () => {
  const { encoding, params } = sole(
    result({ model_type: "distilbert", sinusoidal_pos_embds: true }),
  );
  assert.equal(encoding, "sinusoidal");
  assert.equal(params.variant, "interleaved");
  assert.deepEqual([params.dim, params.rows], [768, 512]);
});

test("OPT's table is hidden_size wide, whatever word_embed_proj_dim is", () => {
  assert.equal(sole(result({ model_type: "opt", word_embed_proj_dim: 99 })).params.dim, 768);
});

test("encoder and decoder may have tables of different lengths", () => {
  for (const model_type of ["bart", "mbart", "blenderbot", "blenderbot-small"]) {
    const { encodings } = result({
      model_type,
      max_encoder_position_embeddings: 10,
      max_decoder_position_embeddings: 20,
      max_position_embeddings: 30,
    });
    assert.deepEqual(
      encodings.map(({ site, params }) => [site, params.max_position]),
      [
        ["encoder", 10],
        ["decoder", 20],
      ],
    );
  }
});

describe("MPT", () => {
  test("attn_config.alibi is true unless it says otherwise; then there is a learned table", () => {
    const mpt = { model_type: "mpt", d_model: 64, n_heads: 4, max_seq_len: 10 };
    assert.equal(sole(result({ ...mpt, attn_config: {} })).encoding, "alibi");
    const off = { ...mpt, attn_config: { alibi: false } };
    const table = sole(result(off));
    assert.equal(table.encoding, "learned");
    assert.deepEqual([table.params.rows, table.params.dim, table.params.causal], [10, 64, true]);
    assert.equal(sole(result({ ...off, learned_pos_emb: false })).encoding, "none");
  });

  test("learned_pos_emb is inert beside ALiBi, and that is told", () => {
    const { warnings } = result({ model_type: "mpt", learned_pos_emb: true });
    const ignored = warnings.find(({ code }) => code === "W_FIELD_IGNORED");
    assert.equal(ignored.field, "learned_pos_emb");
  });
});

describe("DeBERTa", () => {
  const deberta = {
    model_type: "deberta-v2",
    hidden_size: 64,
    num_attention_heads: 4,
    max_position_embeddings: 32,
    relative_attention: true,
    position_biased_input: false,
    pos_att_type: ["c2p", "p2c"],
  };
  const paramsOf = (more) => sole(result({ ...deberta, ...more })).params;

  test("the span is that of the buckets, else max_relative_positions, else all positions", () => {
    const spans = [{ position_buckets: 8 }, { max_relative_positions: 16 }, {}].map((more) => {
      const { span, table_rows, buckets } = paramsOf(more);
      return [span, table_rows, buckets];
    });
    assert.deepEqual(spans, [
      [8, 16, 8],
      [16, 32, null],
      [32, 64, null],
    ]);
  });

  test("version 1 has no buckets and no shared projections", () => {
    const more = { position_buckets: 8, share_att_key: true, norm_rel_ebd: "layer_norm" };
    const two = paramsOf(more);
    assert.deepEqual([two.version, two.share_att_key, two.norm_rel_embeddings], [2, true, true]);
    const one = paramsOf({ ...more, model_type: "deberta" });
    assert.deepEqual([one.version, one.span, one.buckets], [1, 32, null]);
    assert.deepEqual([one.share_att_key, one.norm_rel_embeddings], [false, false]);
  });

  test("scores are scaled by the number of terms, which are a list or a string", () => {
    for (const [pos_att_type, terms] of [
      [
        ["c2p", "p2c"],
        ["c2p", "p2c"],
      ],
      ["c2p|p2c", ["c2p", "p2c"]],
      ["p2c", ["p2c"]],
      ["c2p|c2p", ["c2p"]],
      ["", []],
      [null, []],
    ]) {
      const params = paramsOf({ pos_att_type });
      assert.deepEqual(params.terms, terms);
      assert.equal(params.scale_terms, 1 + terms.length);
      assert.equal(difference((16 * (1 + terms.length)) ** -0.5, params.softmax_scale), "");
    }
    assert.equal(failure({ ...deberta, pos_att_type: ["c2c"] }), "E_FIELD_VALUE pos_att_type[0]");
    assert.equal(failure({ ...deberta, pos_att_type: "c2p|c2c" }), "E_FIELD_VALUE pos_att_type");
    assert.equal(failure({ ...deberta, pos_att_type: [1] }), "E_FIELD_VALUE pos_att_type[0]");
  });

  test("position_biased_input adds a learned table, and neither leaves nothing", () => {
    const both = result({ ...deberta, position_biased_input: true }).encodings;
    assert.deepEqual(
      both.map(({ encoding }) => encoding),
      ["deberta", "learned"],
    );
    assert.equal(sole(result({ ...deberta, relative_attention: false })).encoding, "none");
  });
});

test("a width that no encoding of it can have is an error that names it", () => {
  assert.equal(
    failure({ model_type: "transfo-xl", d_model: 3, n_head: 1 }),
    "E_FIELD_RANGE d_model",
  );
  assert.equal(failure({ model_type: "detr", d_model: 255 }), "E_FIELD_RANGE num_pos_feats");
});

test("XLNet: attn_type uni ends at row 0; other words are errors", () => {
  const { params, attention } = sole(result({ model_type: "xlnet", attn_type: "uni" }));
  assert.deepEqual([params.bidirectional, params.last_row, attention.causal], [false, "0", true]);
  assert.equal(failure({ model_type: "xlnet", attn_type: "both" }), "E_FIELD_VALUE attn_type");
});

test("W2v-BERT: relative and rotary positions", () => {
  const speech = { model_type: "wav2vec2-bert", hidden_size: 64, num_attention_heads: 4 };
  const typed = (position_embeddings_type) => ({ ...speech, position_embeddings_type });
  const relative = sole(result(typed("relative")));
  assert.equal(relative.encoding, "transformer_xl");
  assert.deepEqual(
    [relative.params.first_row, relative.params.last_row],
    ["length-1", "-length+1"],
  );
  const rotary = sole(result({ ...typed("rotary"), rotary_embedding_base: 500 }));
  assert.deepEqual([rotary.params.base, rotary.params.head_dim, rotary.site], [500, 16, "audio"]);
  assert.equal(failure(typed("absolute")), "E_POSITION_TYPE_UNKNOWN position_embeddings_type");
});

test("LayoutLMv3: either bias may be off", () => {
  const kinds = (more) =>
    result({ model_type: "layoutlmv3", ...more }).encodings.map(
      ({ params }) => params.axis ?? "table",
    );
  assert.deepEqual(kinds({}), ["table", "1d position", "box x and box y (two tables)"]);
  assert.deepEqual(kinds({ has_spatial_attention_bias: false }), ["table", "1d position"]);
  assert.equal(kinds({ has_relative_attention_bias: false }).length, 2);
});

test("the padding's row must be one of the table's", () => {
  const roberta = { model_type: "roberta", max_position_embeddings: 10 };
  assert.equal(failure({ ...roberta, pad_token_id: 10 }), "E_FIELD_RANGE pad_token_id");
  assert.equal(failure({ ...roberta, pad_token_id: 9 }), "E_FIELD_RANGE max_position_embeddings");
  const { params } = sole(result({ ...roberta, pad_token_id: 8 }));
  assert.deepEqual([params.row_offset, params.max_position], [9, 1]);
});
