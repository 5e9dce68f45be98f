/** MathML as strings: formulas that browsers set themselves, and screen readers read. Arguments
 * are the page's own text and numbers, never a visitor's. */

const wrap = (tag: string) => (content: string) => `<${tag}>${content}</${tag}>`;

/** A variable. Its slant is the style sheet's: browsers differ in where they take italics from. */
export const id = (letter: string) => `<mi mathvariant="normal" class="variable">${letter}</mi>`;
export const num = wrap("mn");
export const op = wrap("mo");
export const row = (...parts: string[]) => `<mrow>${parts.join("")}</mrow>`;
export const sub = (base: string, index: string) => `<msub>${base}${index}</msub>`;
export const sup = (base: string, power: string) => `<msup>${base}${power}</msup>`;
export const frac = (top: string, bottom: string) => `<mfrac>${top}${bottom}</mfrac>`;
/** A name of several letters, upright: functions and parameters. */
export const name = (word: string) => `<mi mathvariant="normal">${word}</mi>`;
/** A function applied to something short, without parentheses. */
export const apply = (fn: string, argument: string) =>
  row(name(fn), '<mspace width="0.2em"></mspace>', argument);
/** fn(argument), with the parentheses. */
export const call = (fn: string, ...args: string[]) =>
  row(fn, op("("), args.join(op(",")), op(")"));
/** The square root of something short, without a radical to be stretched. */
export const root = (content: string) => row('<mo form="prefix">\u221a</mo>', content);
/** top / bottom on one line. */
export const over = (top: string, bottom: string) =>
  row(top, '<mo lspace="0" rspace="0">/</mo>', bottom);

const table = (kind: string, lines: readonly (readonly string[])[]) =>
  `<mtable class="${kind}">${lines
    .map((cells) => `<mtr>${cells.map((cell) => `<mtd>${cell}</mtd>`).join("")}</mtr>`)
    .join("")}</mtable>`;
/** A matrix or column; the style sheet draws its parentheses. */
export const matrix = (...lines: readonly (readonly string[])[]) => table("matrix", lines);
/** Values and when they hold; the style sheet draws the bracket. */
export const cases = (...lines: readonly (readonly [string, string])[]) => table("cases", lines);

export const EQUALS = op("=");
export const MINUS = op("\u2212");
/** The sign of a number, not the operator between two. */
export const NEGATIVE = '<mo form="prefix">\u2212</mo>';
export const PLUS = op("+");
export const DOT = op("\u22c5");

/** A whole formula on a line of its own, at the left in every browser. */
export const math = (...parts: string[]) =>
  `<p class="formula"><math displaystyle="true">${row(...parts)}</math></p>`;
