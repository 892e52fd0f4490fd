/**
 * What is served of the folder of a study: the page that it left, under the script and the policy of this version, and the runs of
 * points that were played from it.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { kindOf } from "../bundle/bundleReader.ts";
import { badInput } from "../errors.ts";
import type { PartLists } from "../parts/partLists.ts";
import { PAGE_SCRIPT, studyPolicy } from "../studies/report/pageScript.ts";
import { STUDY_FILES } from "../studies/studyFiles.ts";
import { pointOf, refuseUnplayable } from "../studies/studyPoints.ts";
import type { Player } from "./player.ts";
import { nowAndThen, postedFields, type ViewPages, viewPages } from "./viewPages.ts";
import type { Answering, Posting } from "./viewServer.ts";

/** Whether a study left its files there. */
export const isStudyFolder = (folder: string): boolean =>
  kindOf(folder) === "a folder" && existsSync(join(folder, STUDY_FILES.study));

/** Where its page is. */
export const STUDY_PATH = "study/";

/** Only with `isPlayed` can a point be played. Throws BadInput where none can. */
export function studyPages(
  lists: PartLists,
  folder: string,
  { player, isPlayed }: { readonly player: Player; readonly isPlayed: boolean },
): ViewPages {
  const runs = viewPages({ lists, folders: [], notes: [] }, [], player);
  const played = new Map<number, string>();
  const html = servedPage(folder, isPlayed);
  if (isPlayed) refuseUnplayable(folder);
  const answering: Answering = async (path, query) =>
    path === STUDY_PATH
      ? { type: "text/html", body: html, policy: studyPolicy(isPlayed) }
      : path === ""
        ? undefined
        : runs.answering(path, query);
  const posting: Posting = (path) => {
    if (path !== `${STUDY_PATH}play`) return runs.posting(path);
    if (!isPlayed) return undefined;
    return async (said, tell, signal) => {
      const index = pointIn(said);
      const known = played.get(index);
      const world = known === undefined ? pointOf(lists, folder, index) : undefined;
      const told = nowAndThen(tell);
      const onMs = (virtualMs: number): void => told({ virtualMs });
      const at = known ?? (world && (await player.play(world, { onMs, signal })).folder);
      if (at === undefined) return;
      played.set(index, at);
      tell({ page: String(runs.numberOf(at)) });
    };
  };
  return { ...runs, answering, posting };
}

/** Its own policy would let it ask nobody; that of its answer holds in its place. */
function servedPage(folder: string, isPlayed: boolean): string {
  const file = join(folder, STUDY_FILES.report);
  if (kindOf(file) !== "a file") {
    throw badInput(
      { file },
      "no page of the study",
      "what a study leaves",
      "Give the study's command again: it writes its files anew and plays no run again.",
    );
  }
  const html = readFileSync(file, "utf8")
    .replace(/<meta http-equiv="Content-Security-Policy"[^>]*>\n?/, "")
    .replace(/<script>[\s\S]*?<\/script>/, () => `<script>${PAGE_SCRIPT}</script>`);
  return isPlayed
    ? html.replace(
        '<button id="copy"',
        '<button id="play" type="button">Play it</button> <button id="copy"',
      )
    : html;
}

/** Throws BadInput for what names no point. */
function pointIn(said: string): number {
  const { point } = postedFields(said);
  if (typeof point === "number" && Number.isSafeInteger(point) && point >= 0) return point;
  throw badInput("point", "none", "the number of a point", 'Post {"point": NUMBER}.');
}
