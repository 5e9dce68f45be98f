import type { PosencAll } from "posenc";
import type { DecomposedSettings } from "../settings/decomposed";
import type { Result } from "../types";
import type { Job } from "./job";
import { requireValues } from "./limits";
import { randomContent, randomTable, seedOf } from "./random";
import { alongTheRow, windowPicture } from "./windows";

export async function decomposed(
  posenc: PosencAll,
  job: Job,
  view: string,
  settings: DecomposedSettings,
): Promise<Result> {
  const { queryHeight, queryWidth, keyHeight, keyWidth, headDim, row, column, seed } = settings;
  const cells = queryHeight * queryWidth;
  requireValues("queryHeight", "the term", [cells, keyHeight * keyWidth]);
  // Products with queries of variance 1 have variance 1 as well.
  const size = Math.sqrt(3 / headDim);
  const table = (part: "table" | "second table", query: number, key: number) =>
    randomTable((2 * Math.max(query, key) - 1) * headDim, seedOf(part, seed), size);
  const encoding = posenc.decomposed({
    queryHeight,
    queryWidth,
    keyHeight,
    keyWidth,
    headDim,
    tableH: table("table", queryHeight, keyHeight),
    tableW: table("second table", queryWidth, keyWidth),
  });
  try {
    const queries = randomContent(cells * headDim, "queries", seed);
    let values: Float32Array = new Float32Array();
    await job.slices(1, () => {
      values = encoding.scores(queries);
    });
    const bias = {
      values,
      heads: 1,
      head: 0,
      queries: { height: queryHeight, width: queryWidth },
      keys: { height: keyHeight, width: keyWidth },
      row,
      column,
      scale: "diverging",
      quantity: "added to the score",
    } as const;
    return { picture: windowPicture(view, bias), curve: alongTheRow(bias), facts: {} };
  } finally {
    encoding.dispose();
  }
}
