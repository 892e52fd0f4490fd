// `npm run goldens`: too long a log for memory; a million deliveries: `npm run soak`.
import { it } from "vitest";
import { expectLongRun } from "./longRun.ts";

it("[VB50] two hundred thousand deliveries are played, reported and read", () =>
  expectLongRun(405, 200_000));
