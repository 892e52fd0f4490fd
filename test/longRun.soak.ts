// `npm run soak`: a million deliveries with a hundred thousand inputs, in little memory.
import { it } from "vitest";
import { expectLongRun } from "./longRun.ts";

it("[VB50] a million deliveries are played, reported and read", () =>
  expectLongRun(2_005, 1_000_000));
