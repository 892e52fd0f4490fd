// SPEC VW: which links of a log are inferred.
import { expect, it } from "vitest";
import { readInto } from "../../src/actors/imported/edge/readInto.ts";
import { FLAG } from "../../src/viewer/viewData.ts";
import { viewed } from "../edges/view/viewedRecording.ts";
import { newFolder } from "../folders.ts";

it("[VW48] each suspect stands on the row of whoever it is, once, with its reason", async () => {
  const out = newFolder();
  await readInto(["examples/import/talk.json"], out, new AbortController().signal);
  const { head } = viewed(out).open;
  const points = head.pictures.flatMap(({ lanes }) =>
    lanes.flatMap((lane) => (lane.is === "row" ? lane.points : [])),
  );
  const said = (kind: string) => points.filter((one) => one.kind === kind).map(({ says }) => says);

  expect(head.suspects.length).toBeGreaterThan(0);
  expect(said("suspects").toSorted()).toEqual(head.suspects.map(({ says }) => says).toSorted());
  expect(said("found").toSorted()).toEqual(head.found.map(({ says }) => says).toSorted());
});

it("[VW47] of a log it is known which links were inferred; of a run none is", async () => {
  const out = newFolder();
  await readInto(["examples/import/talk.json"], out, new AbortController().signal);
  const { open, log } = viewed(out);
  const inferred = [...open.run.deliveries].map(({ event }) =>
    "links" in event ? event.links[0]?.inferred === true : false,
  );

  expect(inferred.map((_, place) => log.has(place, FLAG.inferred))).toEqual(inferred);
  expect(new Set(inferred).size).toBe(2);
  const run = viewed("recordings/weather-fetcher").log;
  expect(run.columns.flags.some((flag) => (flag & FLAG.inferred) !== 0)).toBe(false);
});
