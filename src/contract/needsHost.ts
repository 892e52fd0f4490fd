/** What a run throws that has come to something only a host can do, where no host is. */

/** The run has come to code that an agent wrote, and there is no Python here that reads or runs it. */
export class NeedsPython extends Error {
  override readonly name = "NeedsPython";
  /** The function that was to be called, or the address of the actor that wanted a text read. */
  readonly tool: string;
  constructor(tool: string) {
    super(
      `${tool} is written in Python: this run needs a sandbox behind port/sandbox.run and port/python.parse`,
    );
    this.tool = tool;
  }
}

/** The run has come to a command line of an agent, and no provider here can run it. */
export class NeedsShell extends Error {
  override readonly name = "NeedsShell";
  readonly command: string;
  constructor(command: string) {
    super("an agent calls shell_exec: this run needs a shell behind port/shell.run");
    this.command = command;
  }
}
