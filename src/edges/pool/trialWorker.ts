/** A thread of a search for causes: plays one trial after another, as it is given them. */
import "../bundle/nodeSha256.ts";
import { workerData } from "node:worker_threads";
import { playersHost, serveRuns } from "../studies/servedRuns.ts";
import { type TrialWork, trialPlayer } from "./trialPlayer.ts";

const work = workerData as TrialWork;
const { sandbox, shell } = playersHost(work);
serveRuns(await trialPlayer(work, sandbox, shell));
