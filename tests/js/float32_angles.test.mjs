// The angles that the common Python implementation computes in float32, from the frequencies that it
// used: `angles: "float32"` gives them to within float32's rounding at every position.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { load } from "posenc";

const posenc = await load();
const file = new URL("../vectors/rope_angles.json", import.meta.url);

for (const { name, inputs, params, reference_f32 } of JSON.parse(readFileSync(file, "utf8"))) {
  test(name, () => {
    const scaling = { type: "custom_frequencies", invFreq: inputs.reference_inv_freq_f32.data };
    const attentionFactor = factorOf(params);
    const rope = posenc.rope({
      headDim: params.rotary_dim,
      scaling: { ...scaling, attentionFactor },
      angles: "float32",
    });
    const tables = rope.angles({ positions: inputs.positions.data });
    for (const table of ["cos", "sin"]) {
      for (const [i, value] of reference_f32[table].data.entries()) {
        const error = Math.abs(tables[table][i] - value);
        assert.ok(error <= 1.5e-7 * attentionFactor, `${table}[${i}] is off by ${error}`);
      }
    }
    rope.dispose();
  });
}

/** What the reference multiplied cosines and sines by: the largest cosine, that of position 0. */
function factorOf({ rope_type, factor, mscale, mscale_all_dim, ...params }) {
  if (rope_type === "yarn" && mscale === undefined) return 0.1 * Math.log(factor) + 1;
  if (rope_type !== "longrope") return 1;
  const original = params.original_max_position_embeddings;
  const stretch = params.max_position_embeddings / original;
  return Math.sqrt(1 + Math.log(stretch) / Math.log(original));
}
