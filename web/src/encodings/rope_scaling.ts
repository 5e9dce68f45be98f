import {
  DOT,
  EQUALS,
  id,
  MINUS,
  math,
  name,
  num,
  op,
  over,
  PLUS,
  row,
  sub,
  sup,
} from "../picture/math";
import type { RopeSettings } from "../settings/rope";
import type { Settings } from "../types";
import { choice, number, TRAINED } from "./parameters";
import type { Parameter } from "./types";

/** How rope's frequencies are changed for longer texts. */

const i = id("i");
const r = id("r");
const frequency = sub(id("f"), i);
const factor = name("factor");
const length = name("length");
const original = name("original");
const grouped = (...parts: string[]) => row(op("("), ...parts, op(")"));

function asTrained(base: string): string {
  return sup(base, row(MINUS, over(row(num("2"), i), r)));
}

/** Base times a factor to the power r / (r - 2). */
function ntk(by: string): string {
  const power = over(r, grouped(r, MINUS, num("2")));
  return asTrained(grouped(name("base"), DOT, sup(by, power)));
}

/** The frequency of pair i. */
export function frequencyFormula({ scaling }: RopeSettings): string {
  const trained = asTrained(name("base"));
  switch (scaling) {
    case "none":
      return math(frequency, EQUALS, trained);
    case "linear":
      return math(frequency, EQUALS, over(trained, factor));
    case "static_ntk":
      return math(frequency, EQUALS, ntk(factor));
    case "dynamic_ntk":
      return (
        math(frequency, EQUALS, ntk(id("s"))) +
        math(
          id("s"),
          EQUALS,
          over(row(factor, DOT, length), original),
          MINUS,
          grouped(factor, MINUS, num("1")),
        )
      );
    case "yarn":
    case "llama3": {
      const share = sub(id("\u03b3"), i);
      const t = sub(id("t"), i);
      const divided = row(grouped(num("1"), MINUS, share), over(t, factor));
      return math(frequency, EQUALS, divided, PLUS, row(share, t)) + math(t, EQUALS, trained);
    }
  }
}

/** What the formula leaves to be said. */
export const SCALING_NOTES: Record<RopeSettings["scaling"], string> = {
  none: "",
  linear: "",
  static_ntk: "",
  dynamic_ntk: " Texts up to the original length change nothing.",
  yarn: " \u03b3 falls from 1 for pairs that turn 32 times in the original length to 0 for those that turn once. Cosines and sines are also multiplied by 0.1 ln factor + 1.",
  llama3:
    " \u03b3 is 1 for pairs that turn more than 4 times in the original length, 0 for those that turn less than once, and rises with the turns between.",
};

const given =
  (...kinds: readonly RopeSettings["scaling"][]) =>
  ({ scaling }: Settings) =>
    kinds.includes(scaling as RopeSettings["scaling"]);

export const SCALING_PARAMETERS: readonly Parameter[] = [
  choice("scaling", "Scaling", {
    none: "none",
    linear: "linear: every frequency divided",
    static_ntk: "NTK-aware: a larger base",
    dynamic_ntk: "dynamic NTK: by the text\u2019s length",
    yarn: "YaRN: slow pairs divided",
    llama3: "Llama 3: slow pairs divided",
  }),
  number("factor", "Factor", [1, 2, 4, 8, 16, 32], {
    hint: "By how much texts are longer; 1: not at all.",
    when: given("linear", "static_ntk", "dynamic_ntk", "yarn", "llama3"),
  }),
  number("originalLength", "Original length", TRAINED.slice(1), {
    hint: "Tokens that the model was trained on before it was extended.",
    when: given("dynamic_ntk", "yarn", "llama3"),
  }),
  number("sequenceLength", "Text length", TRAINED.slice(1), {
    hint: "Tokens of the text at hand.",
    when: given("dynamic_ntk"),
  }),
];
