/**
 * The shell that we did not write. `npm run build` puts it and what it needs in place of this file
 * (tools/bundleShell.js), so that no user installs its native and other optional parts.
 */
export {
  Bash,
  type CommandName,
  defineCommand,
  getCommandNames,
  InMemoryFs,
} from "just-bash/browser";
