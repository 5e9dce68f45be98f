// The facts of every model type.
import { layeredRopes } from "./layered_ropes.mjs";
import { ropes } from "./ropes.mjs";
import { scores } from "./scores.mjs";
import { tables } from "./tables.mjs";
import { towers } from "./vision.mjs";

export const facts = { ...ropes, ...layeredRopes, ...tables, ...scores, ...towers };
