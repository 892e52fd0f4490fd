// What is made of a view is kept only where nothing changed since: few files, many hands, so that they collide.
import fc from "fast-check";
import { expect, it } from "vitest";
import {
  type FilesReply,
  type FilesRequest,
  type FilesState,
  filesService,
} from "../../src/machines/files.ts";
import { type Changed, fileAt, type Moment } from "../../src/machines/fileTree.ts";
import { served } from "./served.ts";

const PATHS = ["a.md", "b.md", "b.md/c.md"].map((name) => `/agentOS/workspace/${name}`);
const path = fc.constantFrom(...PATHS);
const text = fc.constantFrom("", "x", "y");

const step = fc.oneof(
  fc.record({ does: fc.constant("look" as const), who: fc.nat(2) }),
  fc.record({
    ...{ does: fc.constant("apply" as const), who: fc.nat(2) },
    changed: fc.dictionary(path, fc.option(text), { minKeys: 1 }),
  }),
  fc.record({ does: fc.constant("write" as const), path, text }),
  fc.record({ does: fc.constant("delete" as const), path }),
  fc.record({ does: fc.constant("move" as const), path, to: path }),
);
/** Whether time passes before the step: most happen in one millisecond. */
const steps = fc.array(fc.tuple(step, fc.nat(3)), { minLength: 4, maxLength: 80, size: "max" });

interface View {
  readonly taken: Moment;
  readonly files: { readonly [path: string]: string };
  /** Which delivery made each file, as this test sees it. */
  readonly madeBy: readonly (number | undefined)[];
}

it("[SH9] a change is refused exactly when one of its files is not the one that was looked at", () => {
  let [kept, refused] = [0, 0];
  const check = (
    story: readonly (readonly [typeof step extends fc.Arbitrary<infer S> ? S : never, number])[],
  ) => {
    const files = served(filesService, { files: { [PATHS[0] ?? ""]: "x" } });
    let nowMs = 0;
    const ask = (request: FilesRequest): FilesReply => {
      const { letters } = files.send(request, { nowMs, from: "engine", asked: true });
      const reply = letters.find(({ re }) => re === files.seq)?.event;
      if (reply?.type !== "files.replied") throw new Error("no reply");
      return reply;
    };
    const views = new Map<number, View>();
    for (const [one, passes] of story) {
      if (passes === 0) nowMs += 1;
      if (one.does === "look") {
        const { taken, files: texts } = ask({
          type: "files.snapshot",
          folders: ["/agentOS"],
          times: true,
        });
        if (taken && texts) {
          views.set(one.who, { taken, files: texts, madeBy: makersOf(files.state) });
        }
      } else if (one.does === "apply") {
        const view = views.get(one.who);
        if (view === undefined) continue;
        const isSame = nothingChanged(one.changed, view.madeBy, makersOf(files.state));
        const created = Object.keys(one.changed).filter((name) => !Object.hasOwn(view.files, name));
        const since = { ...view.taken, created };
        const { ok } = ask({ type: "files.apply", changed: one.changed, since });

        expect(ok).toBe(isSame);
        if (ok) kept += 1;
        else refused += 1;
      } else if (one.does === "write") ask({ type: "files.write", path: one.path, text: one.text });
      else if (one.does === "move") ask({ type: "files.move", path: one.path, to: one.to });
      else ask({ type: "files.delete", paths: [one.path] });
    }
  };
  fc.assert(fc.property(steps, check), { numRuns: 400 });
  // Otherwise the steps above try nothing.
  expect(Math.min(kept, refused)).toBeGreaterThan(200);
});

const makersOf = ({ files }: FilesState) => PATHS.map((name) => fileAt(files.tree(), name)?.madeBy);

/** What is gone may be removed once more. */
const nothingChanged = (
  changed: Changed,
  before: readonly (number | undefined)[],
  now: readonly (number | undefined)[],
): boolean =>
  PATHS.every(
    (name, nth) =>
      !Object.hasOwn(changed, name) ||
      before[nth] === now[nth] ||
      (now[nth] === undefined && changed[name] === null),
  );
