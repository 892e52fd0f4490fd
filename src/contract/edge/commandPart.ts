/** What a part adds to the command line. Its modules load only when their command is asked for. */
import type { Command } from "commander";

export type Flag = readonly [flags: string, description: string];
export type Leave = (code: number) => void;

/** `json` is the flag that every command has; `leave` takes the exit code. */
export type AddCommands = (program: Command, json: Flag, leave: Leave) => void;
