import { exact } from "../picture/format";
import { EQUALS, math, num } from "../picture/math";
import type { Shown } from "../settings/shared";
import type { Result } from "../types";
import {
  ATTENTION,
  attentionSentences,
  describeWeight,
  rowScore,
  weightReading,
} from "./attention";
import { causal, logDistance, shown } from "./parameters";
import type { Cell, Encoding, Sentence } from "./types";

/** Settings of an encoding that has one row for every position. */
type RowSettings = Shown & { readonly causal: boolean };

/** What such an encoding says of its own. */
interface RowParts<S extends RowSettings>
  extends Pick<
    Encoding<S>,
    "id" | "name" | "sentence" | "source" | "parameters" | "presets" | "formula"
  > {
  /** Width of a row. */
  dimOf(settings: S): number;
  /** Of the table's picture. */
  caption(settings: S): string;
  /** What the caption of attention adds, such as that rows are not trained ones. */
  attentionNote?(settings: S): string;
  /** MathML of one value of the table, without the value. */
  reading(settings: S, cell: Cell): string;
  /** What a column is: "sine of pair 4". */
  describe(settings: S, cell: Cell): string;
  /** Sentences after those of the attention view. */
  observe(view: string, settings: S, result: Result, cell: Cell): readonly Sentence[];
}

/** The panel of an encoding with a row for every position: the table, and attention of its rows. */
export function rowEncoding<S extends RowSettings>(parts: RowParts<S>): Encoding<S> {
  return {
    ...parts,
    family: "additive",
    place: "added to the input",
    parameters: [...parts.parameters, ...shown([causal]), logDistance],
    views: [{ id: "table", label: "Table" }, ATTENTION],
    caption(view, settings) {
      if (view !== "attention") return parts.caption(settings);
      const what =
        "Attention of one head if every token were nothing but its row: queries and keys are the table\u2019s rows.";
      return [what, parts.attentionNote?.(settings)].filter(Boolean).join(" ");
    },
    reading(view, settings, _, cell) {
      if (view === "attention") return weightReading(cell, rowScore(cell, parts.dimOf(settings)));
      return math(parts.reading(settings, cell), EQUALS, num(exact(cell.value)));
    },
    describe(view, settings, cell) {
      if (view === "attention") return describeWeight(cell);
      const what = parts.describe(settings, cell);
      return `position ${cell.row}, dimension ${cell.column}: ${what}`;
    },
    observe(view, settings, result, cell) {
      const own = parts.observe(view, settings, result, cell);
      return view === "attention" ? [...attentionSentences(result.picture), ...own] : own;
    },
  };
}
