// Composition is a gym: what recurs is the chain, whatever planners called the gap that it closed.

import { describe, expect, it } from "vitest";
import type { At, Letter, MailEvent } from "../../../src/machines/letter.ts";
import { noMaterial } from "../../../src/machines/synt/contract.ts";
import { poolService } from "../../../src/machines/synt/pool/pool.ts";
import { unseen } from "../../../src/machines/synt/pool/poolState.ts";
import { days, hours } from "../../../src/machines/units.ts";
import { policyWith } from "../../builtIn.ts";
import { mailIn } from "../../mail.ts";
import { serving } from "./serving.ts";

const CHAIN = ["find_urls", "read_urls_html", "compress_texts"];
const OTHER = ["find_urls", "filter_urls", "compress_texts"];

/** A pool in which chains are run; what the next night asks for and refuses. */
function gym(...more: readonly string[]) {
  const service = poolService(policyWith({}));
  const names = [...new Set([...CHAIN, ...OTHER, ...more])];
  const executors = names.map((name) => ({
    ...{ name, version: "1", description: name, takes: [], gives: [] },
    ...{ profile: {}, shape: {}, seen: unseen },
  }));
  let seq = 1;
  const at = (nowMs: number): At => ({ nowMs, seq, from: "x" });
  const input = { executors, traces: [], missing: [], memos: [] };
  const alone = serving(service, input, at(0));
  const send = (event: MailEvent, nowMs: number): readonly Letter[] => {
    seq += 1;
    return alone.send(event, at(nowMs));
  };
  for (const name of names) {
    const active = { state: "active", isLoaded: true, isVisible: true, into: null } as const;
    send({ type: "executor.changed", name, version: "1", ...active }, 0);
  }
  return {
    /** A turn whose gap was called so, and which the chain served; with another planner each time. */
    run: (day: number, gap: string, chain: readonly string[] = CHAIN, ok = true) => {
      const missing = {
        intent: "links",
        name: gap,
        from: "find_urls",
        hints: [],
        chain: [],
        args: [],
      };
      if (gap !== "") send({ type: "proto.raised", missing }, days(day));
      const ran = { query: `links ${day}`, args: [], composed: true, missed: [gap], ok };
      send({ type: "chain.ran", chain, ...ran }, days(day));
    },
    night: (day: number) => {
      const letters = send(
        { type: "night.came", night: 1, lookbackMs: days(30) },
        days(day) + hours(1),
      );
      const said = letters.filter(({ to }) => to === "synt");
      return { wanted: mailIn(said, "synth.requested"), refused: mailIn(said, "pattern.filtered") };
    },
  };
}

describe("a chain that comes back", () => {
  it("[SN105] recurs with its fifth use, under whatever names its gap was missed", () => {
    const { run, night } = gym();
    const gaps = ["compress_urls", "describe_urls", "compress_urls_html", "", "describe_urls"];
    for (const [day, gap] of gaps.slice(0, 4).entries()) run(day, gap);
    expect(night(3).wanted).toEqual([]);
    run(4, gaps[4] ?? "");

    expect(night(4).wanted).toEqual([
      {
        ...{ type: "synth.requested", mode: "introspective", strategy: "generalise" },
        need: { intent: "links 4", name: "compress_urls", from: null, hints: [] },
        material: {
          ...{ ...noMaterial, chain: CHAIN },
          covers: ["compress_urls", "describe_urls", "compress_urls_html"],
        },
        ...{ proto: "proto/compress_urls", budgetCents: null, revision: null },
      },
    ]);
  });

  it("[SN105] one proposal answers the chain and the gap that it closes", () => {
    const { run, night } = gym();
    for (let day = 0; day < 5; day += 1) run(day, "describe_urls");

    expect(night(4).wanted.map(({ strategy, need }) => [strategy, need.name])).toEqual([
      ["generalise", "compress_urls"],
    ]);
  });

  it("[SN105] two chains that would have one name are two, and neither has recurred yet", () => {
    const { run, night } = gym();
    for (let day = 0; day < 6; day += 1) run(day, "", day % 2 === 0 ? CHAIN : OTHER);

    expect(night(5).wanted).toEqual([]);
  });

  it("[SN105] a run that failed is no recurrence, nor is one of 30 days ago", () => {
    const { run, night } = gym();
    run(0, "", CHAIN, false);
    for (let day = 1; day < 5; day += 1) run(day, "");
    expect(night(5).wanted).toEqual([]);
    run(31, "");
    expect(night(31).wanted).toEqual([]);
  });

  it("[SN105] whose name the pool has is refused with the reason", () => {
    const { run, night } = gym("compress_urls");
    for (let day = 0; day < 5; day += 1) run(day, "");

    expect(night(4).refused).toEqual([
      {
        ...{ type: "pattern.filtered", proto: "proto/compress_urls" },
        pattern: "compress_urls for find_urls → read_urls_html → compress_texts",
        reason: "name collision: the pool has compress_urls",
      },
    ]);
  });

  it("[SN24] a gap that no chain closes recurs by its name", () => {
    const { run, night } = gym();
    for (let day = 0; day < 5; day += 1) run(day, "describe_images", CHAIN, false);

    expect(night(4).wanted.map(({ strategy, need }) => [strategy, need.name])).toEqual([
      ["generate", "describe_images"],
    ]);
  });
});
