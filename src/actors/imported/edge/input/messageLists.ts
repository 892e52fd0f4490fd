/** The names under which agent systems keep the messages of a conversation. */
export const MESSAGE_LISTS: ReadonlySet<string> = new Set([
  "messages",
  "history",
  "conversation",
  "conversations",
  "chat_history",
  "chat",
  "dialogue",
  "dialog",
  "trajectory",
  "traj",
  "transcript",
  "turns",
  "contents",
]);
