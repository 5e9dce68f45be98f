import type { PosencAll } from "posenc";
import type { GatedPositionBiasSettings } from "../settings/gated_position_bias";
import type { Picture, Result } from "../types";
import { headOf } from "./bias";
import type { Job } from "./job";
import { requireAttentionLength, requireHead } from "./limits";
import { randomContent, randomTable, seedOf } from "./random";
import { rowCurve, rowOf, termPicture } from "./scores";

export async function gatedPositionBias(
  posenc: PosencAll,
  job: Job,
  view: string,
  settings: GatedPositionBiasSettings,
): Promise<Result> {
  const { heads, headDim, head, seed, length } = settings;
  requireAttentionLength(length);
  const size = 1 / Math.sqrt(headDim);
  const encoding = posenc.gatedPositionBias({
    heads,
    headDim,
    gateWeight: randomTable(8 * headDim, seedOf("second table", seed), size),
    gateBias: randomTable(8, seedOf("third table", seed), size),
    gateConst: randomTable(heads, 0, 0).fill(1),
  });
  try {
    requireHead(head, heads);
    const plain = positionBias(posenc, settings);
    let gates: Float32Array = new Float32Array();
    let all: Float32Array = new Float32Array();
    await job.slices(1, () => {
      gates = encoding.gate(randomContent(length * heads * headDim, "queries", seed), length);
      all = encoding.bias(gates, plain, { queryCount: length, keyCount: length });
    });
    const term = {
      values: headOf(all, head, length * length),
      offset: 0,
      length,
      causal: false,
      scale: "diverging",
      quantity: `gated bias of head ${head}`,
    } as const;
    const ungated = rowOf(headOf(plain, head, length * length), term);
    const curve = rowCurve(term, `bias of head ${head} from the random table`, [
      { label: "gated", values: rowOf(term.values, term), main: true },
      { label: "ungated", values: ungated, main: false },
    ]);
    const picture =
      view === "gates" ? gatesPicture(gates, settings) : await termPicture(posenc, job, view, term);
    return { picture, curve, facts: { gates: headOf(gates, head, length) } };
  } finally {
    encoding.dispose();
  }
}

/** T5's bias of a random table [heads, length, length]. */
function positionBias(posenc: PosencAll, settings: GatedPositionBiasSettings): Float32Array {
  const { heads, numBuckets, maxDistance, seed, length } = settings;
  const table = randomTable(heads * numBuckets, seedOf("table", seed), 1);
  const t5 = posenc.t5({ heads, numBuckets, maxDistance, bidirectional: true, table });
  try {
    return t5.bias({ queries: { length }, keys: { length } });
  } finally {
    t5.dispose();
  }
}

function gatesPicture(values: Float32Array, settings: GatedPositionBiasSettings): Picture {
  return {
    rows: { label: "head", first: 0, count: settings.heads },
    columns: { label: "query position", first: 0, count: settings.length },
    values: values.slice(),
    scale: "sequential",
    quantity: "gate",
  };
}
