// The gateway after a crash, at every letter of an install, and after its store was spoilt.
import { describe, expect, it } from "vitest";
import { pointerPath } from "../../../src/machines/installs/gateway/store.ts";
import { bookFault } from "../../../src/machines/installs/revisions/revisionBook.ts";
import {
  AGENT,
  activeIn,
  built,
  CREATE,
  coded,
  created,
  PROMOTE,
  plain,
  promoted,
  record,
  resultOf,
  risky,
  ruling,
  said,
  withRef,
} from "./gatewayCalls.ts";
import {
  AUDITOR,
  BUILDER,
  EVALUATOR,
  type LoneGateway,
  loneGateway,
  PERSON,
  PLANNER,
} from "./loneGateway.ts";

const restart = { type: "gateway.restarted" } as const;

/** The number of letters that a call takes, and the world in which it is half done after `letters` of them. */
function crashed(one: LoneGateway, call: () => void, letters: number): boolean {
  call();
  for (let done = 0; done < letters; done += 1) if (!one.step()) return false;
  one.post("outside/1", restart);
  one.drain();
  return true;
}

const LETTERS_MAX = 100;

describe("after a crash", () => {
  it("[INS79] the act that was begun is lost without an answer, and who waited behind it is served", () => {
    const one = loneGateway();
    const begun = one.ask(BUILDER, CREATE, plain());
    const waiting = one.ask(PLANNER, "workflow.state", { workflow_id: "weather" });
    one.post("outside/1", restart);
    one.drain();

    expect(one.answers.get(begun)).toBeUndefined();
    expect(one.answers.get(waiting)).toMatchObject({ ok: true });
  });

  it("[INS79] at any letter of a promotion, its pointer and its books agree, and a promotion is the same again", () => {
    let crashes = 0;
    for (; crashes < LETTERS_MAX; crashes += 1) {
      const one = loneGateway();
      const id = created(one, plain());
      const ask = () => one.ask(BUILDER, PROMOTE, { agent_id: AGENT, revision_id: id });
      const isOver = !crashed(one, ask, crashes);
      const state = one.books.revisions.revisions[id]?.state;

      expect(activeIn(one)).toBe(state === "active" ? id : null);
      expect(one.valueOf(`revision/${id}`)).toBe(state);
      expect(promoted(one, id).ok).toBe(true);
      expect([activeIn(one), one.valueOf(`revision/${id}`)]).toEqual([id, "active"]);
      if (isOver) break;
    }
    expect(crashes).toBeGreaterThan(4);
    expect(crashes).toBeLessThan(LETTERS_MAX);
  });

  it("[INS79] at any letter of a creation, there is a whole revision with its actor, or none and no files of it", () => {
    const did = new Set<string>();
    for (let crashes = 0; crashes < LETTERS_MAX; crashes += 1) {
      const one = loneGateway();
      const { approvalRequired: ref = "" } = one.call(BUILDER, CREATE, risky());
      one.tell(PERSON, ruling(ref, true));
      const isOver = !crashed(one, () => one.ask(BUILDER, CREATE, withRef(risky(), ref)), crashes);
      const [revision] = Object.values(one.books.revisions.revisions);
      for (const { event } of one.heard) {
        if (event.type === "gateway.found") did.add(`${event.half} ${event.did}`);
      }

      expect(one.books.approvals[ref]?.uses).toBe(revision === undefined ? 0 : 1);
      const folder = Object.keys(one.files).filter((path) => path.includes("/agents/"));
      expect(folder.length).toBe(revision === undefined ? 0 : 2);
      if (revision === undefined) {
        expect(one.call(BUILDER, CREATE, withRef(risky(), ref)).ok).toBe(true);
      } else {
        expect(one.valueOf(`revision/${revision.id}`)).toBe(revision.state);
        expect(promoted(one, revision.id).ok).toBe(true);
      }
      if (!isOver) continue;
      expect([...did].sort()).toEqual(["creation continued", "creation dropped"]);
      return;
    }
    expect.unreachable("a creation ends");
  });

  it("[INS79] at any letter of an approval, it is asked for and decided all the same", () => {
    for (let crashes = 0; crashes < LETTERS_MAX; crashes += 1) {
      const one = loneGateway();
      const isOver = !crashed(one, () => one.ask(BUILDER, CREATE, risky()), crashes);
      const { approvalRequired: ref = "" } = one.call(BUILDER, CREATE, risky());
      expect(one.valueOf(`approval/${ref}`)).toBe("pending");
      crashed(one, () => one.post(PERSON, ruling(ref, true)), crashes);
      if (one.books.approvals[ref]?.status === "pending") one.tell(PERSON, ruling(ref, true));

      expect(one.books.approvals[ref]?.status).toBe("approved");
      expect(one.call(BUILDER, CREATE, withRef(risky(), ref)).ok).toBe(true);
      if (isOver) return;
    }
    expect.unreachable("an approval ends");
  });

  it("[INS79] all that was written is there again: content, artifacts, records, approvals, revisions", () => {
    const one = loneGateway();
    const artifact = built(one);
    const id = created(one, coded(artifact));
    for (const judge of [EVALUATOR, AUDITOR]) record(one, artifact, judge);
    promoted(one, id);
    const before = one.books;

    one.tell("outside/1", restart);

    expect(one.books).toEqual(before);
    expect(bookFault(one.books.revisions, one.policy.installs.history)).toBe(null);
  });

  it("[INS79] whoever asks meanwhile is served afterwards", () => {
    const one = loneGateway();
    one.post("outside/1", restart);
    expect(resultOf(one.call(BUILDER, CREATE, plain()))["status"]).toBe("revision_created");
  });
});

describe("a store that was spoilt", () => {
  const spoilt = (path: (id: string) => string, text: string | null) => {
    const one = loneGateway();
    const id = created(one, plain());
    promoted(one, id);
    one.spoil(path(id), text);
    one.tell("outside/1", restart);
    return { one, id };
  };

  it("[INS79] whose history does not verify is not served from, and it is said", () => {
    const paths = [
      ...["history/000001.json", "history/000002.json"].map((path) => () => path),
      (id: string) => `revisions/${id}.json`,
    ];
    for (const path of paths) {
      for (const text of ["{}", "no JSON"]) {
        const { one } = spoilt((id) => `/agentOS/installs/${path(id)}`, text);

        expect(one.typesHeard()).toContain("gateway.damaged");
        const refused = one.call(BUILDER, CREATE, plain());
        expect(refused.error).toMatchObject({ error_type: "fatal" });
        one.tell(PLANNER, said("w", "none"));
        expect(one.books.workflows).toEqual({});
      }
    }
    // An entry that is gone was under no seal but the chain's.
    const { one } = spoilt(() => "/agentOS/installs/history/000001.json", null);
    expect(one.call(BUILDER, CREATE, plain()).error?.message).toContain("prev_hash");
  });

  it("[INS79] a record that was changed under its seal serves nothing", () => {
    const one = loneGateway();
    const artifact = built(one);
    record(one, artifact, AUDITOR, false);
    const path = `/agentOS/installs/records/${artifact}.json`;
    one.spoil(path, one.files[path]?.replace('"pass":false', '"pass":true') ?? null);
    one.tell("outside/1", restart);

    const { error } = one.call(BUILDER, "promotion.query", { artifact_id: artifact });
    expect(error).toMatchObject({ error_type: "fatal" });
    expect(error?.message).toContain(path);
  });

  it("[INS79] whose pointer names another revision has it set right, and it is said", () => {
    for (const text of ["rev-ffffffff\n", null]) {
      const { one, id } = spoilt(() => pointerPath(AGENT), text);

      expect(activeIn(one)).toBe(id);
      expect(one.heard.findLast(({ event }) => event.type === "gateway.found")).toMatchObject({
        event: { revision: id, half: "activation", did: "continued" },
      });
    }
  });

  it("[INS79] names the file that is not as it was written", () => {
    const { one } = spoilt((id) => `/agentOS/installs/revisions/${id}.json`, "{}");

    const damage = one.heard.find(({ event }) => event.type === "gateway.damaged")?.event;
    expect(damage).toMatchObject({
      fault: expect.stringMatching(/^\/agentOS\/installs\/revisions\/rev-/),
    });
  });

  it("[INS81] holds what the gateway never wrote: it is told, and counts for nothing", () => {
    const foreign = [
      "/agentOS/installs/active/impostor",
      "/agentOS/installs/agents/impostor/active",
      "/agentOS/installs/agents/impostor/notes/a.md",
      `/agentOS/installs/content/${"0".repeat(64)}`,
      "/agentOS/installs/notes.md",
    ];
    const one = loneGateway();
    promoted(one, created(one, plain()));
    const { agents } = one.books.revisions;
    for (const path of foreign) one.spoil(path, "rev-ffffffff\n");
    one.tell("outside/1", restart);

    const told = one.heard.filter(({ event }) => event.type === "gateway.foreign");
    expect(told).toMatchObject([{ event: { paths: foreign } }]);
    expect(one.typesHeard()).not.toContain("gateway.found");
    expect(one.books.revisions.agents).toEqual(agents);
    expect(one.call(BUILDER, CREATE, plain("Others.")).ok).toBe(true);
  });

  it("[INS81] is told of, also where only a text of a revision was changed", () => {
    const folder = (id: string) => `/agentOS/installs/agents/${AGENT}/${id}/SKILL.md`;
    const { one, id } = spoilt(folder, "# Other");

    const told = one.heard.filter(({ event }) => event.type === "gateway.foreign");
    expect(told).toMatchObject([{ event: { paths: [folder(id)] } }]);
  });

  it("[INS81] as the gateway left it, nothing is told", () => {
    const one = loneGateway();
    for (let letters = 0; letters < 12; letters += 1) {
      crashed(one, () => one.ask(BUILDER, CREATE, plain(`Notes ${letters}.`)), letters);
    }
    expect(one.typesHeard()).not.toContain("gateway.foreign");
  });

  it("[INS79] an artifact that is not what was judged rejects its revision for good", () => {
    const one = loneGateway();
    const artifact = built(one);
    const id = created(one, coded(artifact));
    for (const judge of [EVALUATOR, AUDITOR]) record(one, artifact, judge);
    const path = Object.keys(one.files).find(
      (each) => one.files[each]?.startsWith("fetch(") && each.includes("/content/"),
    );
    one.spoil(path ?? "", "evil();\n");
    one.tell("outside/1", restart);

    expect(promoted(one, id).error?.message).toContain("Possible tampering");
    expect(one.valueOf(`revision/${id}`)).toBe("rejected");
    expect(activeIn(one)).toBe(null);
  });
});
