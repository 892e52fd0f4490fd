import { seconds } from "./units.ts";

/** Ours: how long an actor waits for a service of its own world, or for a port that asks no model and no person. */
export const ANSWER_WAIT_MS = seconds(60);
