/** `import --scenario`: the scenario of the one log that was imported, written, played, and compared with it. */
import { partLists } from "../../../../cli/chosenParts.ts";
import { readBundle } from "../../../../edges/bundle/bundleReader.ts";
import { deliveriesOf } from "../../../../edges/bundle/derive.ts";
import { command } from "../../../../edges/command.ts";
import { BadInput } from "../../../../edges/errors.ts";
import type { LogOfWorld } from "../../worldOf.ts";
import { madeWorld, playedFolder, playedWorld, writeScenario } from "./playedWorld.ts";
import type { ToldLogs } from "./wanted.ts";
import { worldJson, worldSaid } from "./worldSaid.ts";

interface Wanted {
  /** The scenario's. */
  readonly file: string;
  readonly out?: string;
  /** The file of the logs, where it was another command that read them. */
  readonly source?: string;
}

/** Throws BadInput where there are several logs, or nothing to play; the bundles stay. */
export async function makeScenario(
  { first, count, names }: ToldLogs,
  { file, out: named, source }: Wanted,
  out: string,
): Promise<{ readonly text: string; readonly json: object }> {
  if (first === undefined || count > 1) {
    throw new BadInput({
      where: { path: "--scenario" },
      found: `${count} logs, whose bundles lie in ${out}`,
      allowed: "one log",
      hint: `There are: ${names.join(", ")}${count > names.length ? ", …" : ""}.`,
      todo:
        source === undefined
          ? `Name one, for example: --only ${names[0] ?? "NAME"}`
          : `Name one, for example: ${command`import ${source} --only ${[names[0] ?? "NAME"]} --scenario ${file}`}`,
    });
  }
  const lists = await partLists({});
  const { head, startsAt, imported } = first.log;
  const { name, format, file: from } = head;
  const log: LogOfWorld = {
    ...{ name, format, file: from, startsAt, clock: imported.clock },
    deliveries: deliveriesOf(lists.parts, readBundle(lists, first.folder)),
  };
  const made = madeWorld(lists, log, file);
  writeScenario(file, made.text);
  const played = await playedWorld(lists, made, playedFolder(named, made.scenario), file);
  const done = { played, log, file };
  return { text: worldSaid(done), json: worldJson(done) };
}
