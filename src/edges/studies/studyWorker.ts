/** A thread of a study: plays one run after another, as it is given them. */
import "../bundle/nodeSha256.ts";
import { workerData } from "node:worker_threads";
import type { StudyHost, StudyWorld } from "./runKey.ts";
import { playersHost, serveRuns } from "./servedRuns.ts";
import { studyPlayer } from "./studyPlayer.ts";

const share = workerData as StudyWorld & StudyHost;
const { sandbox, shell } = playersHost(share);
serveRuns(await studyPlayer(share, sandbox, shell));
