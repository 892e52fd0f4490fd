/** Capabilities that were registered without code behind them, from their entry to its end. */

import { ghostsIn, type SeenTools } from "../engineMirror.ts";
import type { AgentBook, AgentNews, GhostNews, GhostStory } from "./facts.ts";

export const ghosts: AgentBook<"ghosts"> = {
  needs: ["calls", "registry"],
  reads: [],
  start: () => [],
  step(own, { dueMs }, news) {
    for (const one of news) {
      if (one.is === "routed") called(own, one.event, dueMs);
      else if (one.is === "registry") registered(own, one.tools, dueMs, news);
    }
  },
};

function called(
  own: readonly GhostStory[],
  { capability, agent }: { readonly capability: string; readonly agent: string },
  atMs: number,
): void {
  const ghost = own.findLast(({ name }) => name === capability);
  if (ghost === undefined || ghost.toMs !== null) return;
  ghost.lastCallMs = atMs;
  const before = Object.hasOwn(ghost.callsByAgent, agent) ? ghost.callsByAgent[agent] : 0;
  ghost.callsByAgent[agent] = (before ?? 0) + 1;
}

function registered(own: GhostStory[], tools: SeenTools, atMs: number, news: AgentNews[]): void {
  const tell = (ghost: GhostStory, turn: GhostNews["turn"]) =>
    void news.push({ is: "ghost", ghost, turn });
  const now = ghostsIn(tools);
  const entryOf = (wanted: string) => tools.entries.find(({ name }) => name === wanted);
  for (const ghost of own.filter(({ name, toMs }) => toMs === null && !now.includes(name))) {
    ghost.toMs = atMs;
    if (ghost.fromMs === atMs && ghost.lastCallMs === null) {
      // Every tool that is written has a spec before it has code, for no time at all.
      own.splice(own.indexOf(ghost), 1);
      tell(ghost, "forgotten");
    } else tell(ghost, entryOf(ghost.name) === undefined ? "gone" : "hasCode");
  }
  for (const name of now) {
    if (own.some((ghost) => ghost.name === name && ghost.toMs === null)) continue;
    const description = entryOf(name)?.description ?? "";
    const times = { fromMs: atMs, toMs: null, lastCallMs: null };
    const ghost: GhostStory = { name, description, ...times, callsByAgent: {} };
    own.push(ghost);
    tell(ghost, "begun");
  }
}
