/** What `ghostlight import` says when it is done. */

import { countOf } from "../../../../contract/countOf.ts";
import { command } from "../../../../edges/command.ts";
import { escapedLine } from "../../../../edges/escapedText.ts";
import type { ImportSession } from "../importSession.ts";
import { callsText } from "../logEntry.ts";
import { placeText } from "../unreadList.ts";

export interface ImportDone {
  readonly session: ImportSession;
  /** The folder, as the user would type it. */
  readonly out: string;
  readonly interrupted: boolean;
}

const WIDTH = 10;
export const row = (name: string, text: string): string =>
  `${name.padEnd(WIDTH)}${escapedLine(text)}`;

export function importText({ session, out, interrupted }: ImportDone): string {
  const { entries, records, links } = session;
  const { stated, inferred } = links.told();
  // The one that is most likely to be asked about.
  const first = entries.find(({ failed, errors }) => failed || errors > 0) ?? entries[0];
  const formats = [...new Set(entries.map(({ format }) => format))].join(", ");
  const steps = entries.filter(({ clock }) => clock === "steps").length;
  const { messages, calls, errors, empty } = session.counts;
  const agents = new Set(entries.flatMap((one) => one.agents)).size;
  return [
    ...(session.unread.count === 0 ? [] : unreadRows(session, out)),
    ...(interrupted ? ["Interrupted: this is what had been read by then."] : []),
    row("logs", `${entries.length} (${formats})`),
    row(
      "records",
      `${records}: ${countOf(messages, "message")} of ${countOf(agents, "agent")} and others, ` +
        callsText({ calls, errors, empty }),
    ),
    ...(steps === 0
      ? []
      : [row("times", `none in ${countOf(steps, "log")}: each record counts one second`)]),
    row("links", `stated: ${counts(stated)}; inferred: ${counts(inferred)}`),
    ...(session.unread.count === 0 ? [row("unread", "nothing")] : []),
    ...(session.redacted === 0
      ? []
      : [
          row(
            "redacted",
            `secrets were replaced in ${countOf(session.redacted, "text")}; ${out}/redacted.jsonl has the place, kind and length of each`,
          ),
        ]),
    ...(first?.suspect == null || entries.length > 1 ? [] : [row("suspect", first.suspect)]),
    "",
    entries.length === 1
      ? `The bundle lies in ${escapedLine(out)}; open ${escapedLine(out)}/report.html. Next:`
      : `The bundles lie in ${escapedLine(out)}; logs.json there lists them. Next:`,
    command`why ${first?.bundle ?? out} --suspects`,
    command`why ${first?.bundle ?? out}`,
  ].join("\n");
}

const counts = (of: { readonly [name: string]: number }): string =>
  Object.entries(of)
    .map(([rule, count]) => `${rule} ${count}`)
    .join(", ") || "none";

/** Before all else: what was not read may be what went wrong. */
function unreadRows({ unread, entries }: ImportSession, out: string): readonly string[] {
  const { first, count } = unread;
  const more = count - first.length;
  const logs = entries.filter((one) => one.unread > 0).length;
  const of = logs === 0 ? "" : ` of ${countOf(logs, "log")}`;
  return [
    `NOT READ: ${countOf(count, "piece")}${of}, which may have failed where nothing is told.`,
    row("unread", `${count}: ${counts(unread.byReason())}`),
    ...first.map(({ place, reason }) => row("", `${placeText(place)}: ${reason}`)),
    row("", `${more > 0 ? `… and ${more} more; all` : "all"} in ${out}/unread.jsonl`),
  ];
}
