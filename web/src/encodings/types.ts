import type { EncodingId, Result, Settings, SettingValue } from "../types";
import type { Family } from "./families";

/** Where a control stands in the rail: what the model is made with, or what part is shown. */
export type Section = "model" | "shown";

interface ParameterBase {
  readonly name: string;
  readonly label: string;
  readonly section: Section;
  /** One line under the control: unit, range or meaning. */
  readonly hint?: string;
  /** Left out of the rail while this says no. */
  readonly when?: (settings: Settings, view: string) => boolean;
}

export interface NumberParameter extends ParameterBase {
  readonly kind: "number";
  /** The stops of the slider; any other number can be typed. No slider with less than two. */
  readonly stops?: (settings: Settings) => readonly number[];
}

export interface ChoiceParameter extends ParameterBase {
  readonly kind: "choice";
  readonly options: readonly { readonly value: SettingValue; readonly label: string }[];
}

export type Parameter = NumberParameter | ChoiceParameter;

export interface Preset<S extends Settings = Settings> {
  readonly id: string;
  readonly label: string;
  /** What it is and where the numbers come from. */
  readonly about: string;
  readonly settings: S;
}

export interface View {
  readonly id: string;
  readonly label: string;
}

/** A cell of the picture by the values of its axes. */
export interface Cell {
  readonly row: number;
  readonly column: number;
  readonly value: number;
}

/** Text and numbers; the numbers are set apart on the page. */
export type Sentence = readonly (string | { readonly number: string })[];

/** say`text ${number} text`: a sentence with its numbers. */
export function say(strings: TemplateStringsArray, ...numbers: readonly string[]): Sentence {
  return strings.flatMap((text, i) => {
    const number = numbers[i];
    return number === undefined ? [text] : [text, { number }];
  });
}

/** Everything the page says about one encoding. The numbers come from the worker. */
export interface Encoding<S extends Settings = Settings> {
  readonly id: EncodingId;
  readonly name: string;
  readonly family: Family;
  /** Where the position enters the transformer. */
  readonly place: string;
  readonly sentence: string;
  readonly source: { readonly text: string; readonly href: string };
  readonly parameters: readonly Parameter[];
  /** The first one is where a visit starts. */
  readonly presets: readonly [Preset<S>, ...Preset<S>[]];
  readonly views: readonly [View, ...View[]];
  /** MathML of the rule. */
  formula(settings: S): string;
  /** What the picture shows, and what it does not. */
  caption(view: string, settings: S): string;
  /** MathML of the rule with one cell's numbers put in. */
  reading(view: string, settings: S, result: Result, cell: Cell): string;
  /** What a cell is, in words: "position 3, dimension 8: cosine of pair 4". */
  describe(view: string, settings: S, cell: Cell): string;
  /** What you see, computed. */
  observe(view: string, settings: S, result: Result, cell: Cell): readonly Sentence[];
}
