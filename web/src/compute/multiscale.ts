import { type PosencAll, PosencError } from "posenc";
import type { MultiscaleSettings } from "../settings/multiscale";
import type { Result } from "../types";
import { type TableSource, tableResult } from "./additive";
import type { Job } from "./job";
import { PageError, requireWhole } from "./limits";

export function multiscale(
  posenc: PosencAll,
  job: Job,
  view: string,
  settings: MultiscaleSettings,
): Promise<Result> {
  const { sectionDim, sentenceDim, tokenDim, combine } = settings;
  const dim = combine === "sum" ? tokenDim : sectionDim + sentenceDim + tokenDim;
  return tableResult(posenc, job, view, { ...settings, dim }, () => sourceOf(posenc, settings));
}

/** The encoding of a text whose sentences and sections are all of one length. */
function sourceOf(posenc: PosencAll, settings: MultiscaleSettings): TableSource {
  const { sectionDim, sentenceDim, tokenDim, coarseBase, base, combine, interleaved } = settings;
  const { tokensPerSentence, sentencesPerSection } = settings;
  requireWhole("tokensPerSentence", "tokens of a sentence", tokensPerSentence);
  requireWhole("sentencesPerSection", "sentences of a section", sentencesPerSection);
  const levels = [
    { dim: sectionDim, base: coarseBase },
    { dim: sentenceDim, base: coarseBase },
    { dim: tokenDim, base },
  ];
  const encoding = named(() => posenc.multiscale({ levels, combine, interleaved }));
  return {
    table({ offset, length }) {
      const by = (place: (token: number) => number) => ({
        positions: Float64Array.from({ length }, (_, i) => place(offset + i)),
      });
      const sentence = (token: number) => Math.floor(token / tokensPerSentence);
      return encoding.table([
        by((token) => Math.floor(sentence(token) / sentencesPerSection)),
        by((token) => sentence(token) % sentencesPerSection),
        by((token) => token % tokensPerSentence),
      ]);
    },
    dispose: () => encoding.dispose(),
  };
}

/** The controls of the levels' widths; the library's sentences name a level by its number. */
const WIDTHS = ["sectionDim", "sentenceDim", "tokenDim"];

function named<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof PosencError) || error.field !== "dim") throw error;
    const level = /at level (\d)/.exec(error.message)?.[1];
    throw new PageError(WIDTHS[Number(level)] ?? "", error.message);
  }
}
