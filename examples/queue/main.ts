// Plays a morning at the counter, tells what happened and why, replays it, and puts the promise to the test.
import { world } from "ghostlight";
import queue from "./queue.ts";

const bank = world(queue);
const { scenario } = bank.loadScenario("./queue.yaml");
const run = await bank.record(scenario, process.argv[2] ?? "runs/morning");
console.log(bank.report(run));
console.log("Replayed exactly:", bank.replay(bank.readBundle(run.bundle)).matches);
const { properties } = await bank.check(undefined, { runs: 20, properties: ["queue-clerks"] });
for (const { id, status } of properties) console.log(`${id}: ${status}`);
