/** `ghostlight tune`, to which whoever can be tuned adds a command. */
import type { Command } from "commander";

export const tuneCommand = (program: Command): Command =>
  program.commands.find((one) => one.name() === "tune") ??
  program.command("tune").description("find the settings that reach a goal best");
