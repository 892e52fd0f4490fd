// A command that would take its time after the first Ctrl-C.
import { interruptible, listenToSignals } from "../../src/cli/signals.ts";

listenToSignals();
const { signal } = interruptible("stopping");
setInterval(() => process.stdout.write(signal.aborted ? "stopping\n" : "working\n"), 20);
setTimeout(() => process.exit(1), 30_000);
