/** What a delivery reads like: what a row shows is what the search looks through. */
import type { PageLog } from "./pageLog.ts";
import type { ViewRow } from "./viewData.ts";

/** In words, else by its type. */
export const rowWords = (log: PageLog, place: number, row: ViewRow | null | undefined): string =>
  row?.says ?? log.type(place);

/** All that can be read of it, in lower case. */
export function searchedText(log: PageLog, place: number, row: ViewRow): string {
  const { says = "", event, call } = row;
  const parts = [
    ...[says, log.type(place), log.from(place), log.to(place), String(log.seq(place))],
    ...[event === undefined ? "" : JSON.stringify(event), call?.prompt ?? "", call?.answer ?? ""],
  ];
  return parts.join("\n").toLowerCase();
}
