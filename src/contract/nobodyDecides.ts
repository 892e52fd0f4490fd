/** What is heard at a gate where no person is: nothing, so that the time-out of whoever asked decides. */
import { NEVER_MS, type PortReply } from "../substrate/port.ts";

export const nobodyDecides: PortReply = {
  event: { type: "person.decided", decision: "none" },
  latencyMs: NEVER_MS,
  choice: "person:nobody",
};
