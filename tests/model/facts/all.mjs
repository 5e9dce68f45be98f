// The facts of every model type that has fields of its own.
import { layeredRopes } from "./layered_ropes.mjs";
import { ropes } from "./ropes.mjs";
import { scores } from "./scores.mjs";
import { specialRopes } from "./special_ropes.mjs";
import { tables } from "./tables.mjs";
import { towers } from "./vision.mjs";

export const facts = {
  ...ropes,
  ...specialRopes,
  ...layeredRopes,
  ...tables,
  ...scores,
  ...towers,
};
