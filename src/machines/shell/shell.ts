export interface ShellResult {
  exit_code: number;
  stdout: string;
  stderr: string;
  changed: { readonly [path: string]: string | null };
}
export const runShell = (
  _command: string,
  _: { files: { readonly [path: string]: string }; cwd: string; nowMs: number },
): ShellResult => ({ exit_code: 127, stdout: "", stderr: "", changed: {} });
