// What is taken out on the way in: made-up secrets in many places, and nothing that only looks like one.
import { describe, expect, it } from "vitest";
import { Redaction } from "../../../../src/actors/imported/edge/redacted.ts";
import type { LogPiece } from "../../../../src/actors/imported/record.ts";
import {
  cleaned,
  found,
  kinds,
  lookAlikes,
  places,
  SAMPLES,
} from "../../../../tools/secretCorpus.ts";
import { said } from "../pieces.ts";

const inPlaces = Object.entries(places);

describe("redaction", () => {
  it.each(Object.entries(kinds))("[IM64] %s is taken out of nearly every place", (_, kind) => {
    const missed = inPlaces.filter(([, place]) => found(kind, place, 1) < SAMPLES);

    expect(missed.length).toBeLessThanOrEqual(1);
  });

  it("[IM64] the corpus has 25 kinds in nine places, and 25 look-alikes", () => {
    expect([Object.keys(kinds).length, inPlaces.length, lookAlikes.length]).toEqual([25, 9, 25]);
  });

  it("[IM64] what only looks like a secret stays", () => {
    const changed = lookAlikes.flatMap((text) =>
      inPlaces.flatMap(([name, place]) => {
        const isSame = cleaned(place(text)) === JSON.stringify(place(text));
        return name === "header" || isSame ? [] : [`${text} in ${name}`];
      }),
    );

    expect(changed).toEqual([]);
  });

  it("[IM17] what was taken out is told by place, kind and length", () => {
    const key = `sk-${"a1".repeat(20)}`;
    const given: LogPiece[] = [
      { kind: "record", log: "x", record: said("a", `${key} and {"password": "hunter2"}`) },
      { kind: "closed", log: "x" },
    ];
    const redaction = new Redaction({});
    const [, told] = given.flatMap((piece) => [...redaction.of(piece)]);

    expect(told).toMatchObject({
      ...{ kind: "redacted", log: "x", texts: 1 },
      removed: [
        { file: expect.any(String), kind: "key", chars: key.length },
        { kind: "labelled", chars: 7 },
      ],
    });
  });
});
