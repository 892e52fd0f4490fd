/** What the agents' book tells the core: its facts, and the moments that mattered. */

import type { Book, Moment } from "../../contract/book.ts";
import type { SeenDelivery } from "../../substrate/envelope.ts";
import { agentFacts, agentNews } from "./book/agentsBook.ts";
import type { AgentFacts, AgentNews, GhostStory } from "./book/facts.ts";

type Told = Pick<AgentFacts, "goals" | "ghosts" | "born" | "tools">;

declare module "../../contract/book.ts" {
  interface Books extends Told {}
}

const NAMES = ["ghosts", "broken", "goals", "born", "syntheses", "feelings", "tools"] as const;

export const book: Book<{ readonly told: AgentFacts }> = {
  start: () => ({ told: agentFacts(...NAMES) }),
  step({ told }, delivery, moments) {
    const { dueMs: atMs } = delivery;
    for (const news of agentNews(told, delivery)) {
      if (news.is === "ghost" && news.turn === "forgotten") forget(news.ghost, moments);
      for (const text of newsTexts(news)) moments.push({ atMs, ...text });
    }
    for (const text of texts(delivery)) moments.push({ atMs, ...text });
  },
  tellsOf: isRestart,
};

/** A restart comes from outside, and is a moment of a kind of its own. */
function isRestart({ cause, event }: SeenDelivery): boolean {
  return cause === null && event.type === "daemon.restarted";
}

function forget({ name, fromMs }: GhostStory, moments: Moment[]): void {
  const at = moments.findLastIndex(
    ({ kind, atMs, label }) => kind === "ghost" && atMs === fromMs && label.startsWith(name),
  );
  moments.splice(at, 1);
}

type Text = Omit<Moment, "atMs">;

const GHOSTS = {
  begun: "is registered without code",
  hasCode: "has code now",
  gone: "leaves the registry",
} as const;

function newsTexts(news: AgentNews): readonly Text[] {
  switch (news.is) {
    case "ghost":
      if (news.turn === "forgotten") return [];
      return [{ kind: "ghost", label: `${news.ghost.name} ${GHOSTS[news.turn]}` }];
    case "broken":
      return [{ kind: "broken", label: `${news.tool} is listed in broken_tools.json` }];
    case "joined":
    case "left": {
      const label = news.is === "joined" ? "is born" : "is ended";
      return news.isToEngine ? [{ kind: "birth", label, who: news.agent }] : [];
    }
    case "synthesized": {
      const { capability, verdict, agent: who } = news.event;
      const label = `${capability} is deployed${verdict === "untested" ? ", untested" : ""}`;
      return news.isFirst ? [{ kind: "tool", label, who }] : [];
    }
    case "felt": {
      const { stressor, sinceMs } = news.event;
      const label = `${stressor} ${sinceMs === null ? "ends" : "begins"}`;
      return [{ kind: "stressor", label, who: news.agent }];
    }
    default:
      return [];
  }
}

/** What no fact stands for. */
function texts(delivery: SeenDelivery): readonly Text[] {
  const { event, from, to, fate } = delivery;
  if (isRestart(delivery)) return [{ kind: "daemon", label: from.slice("outside/".length) }];
  if (event.type === "lesson.noted" && event.outcome === "promoted") {
    return [{ kind: "lesson", label: `learns: ${event.lesson}`, who: event.agent }];
  }
  // A stressor finds no room.
  if (event.type !== "place.answered" || fate !== "handled" || event.granted) return [];
  const [, who, stressor] = to.split(/[/#]/);
  return who === undefined ? [] : [{ kind: "stressor", label: `${stressor} is dropped`, who }];
}
