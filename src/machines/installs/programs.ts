/** Programs that a command line starts to reach the network: by argv[0], also within the text for a shell. Source: ruling I16. */

/** Ours: the words of a command line that are looked at. */
const WORDS_MAX = 400;
const PROGRAM = "program ";

const DOWNLOADERS: ReadonlySet<string> = new Set(
  `curl wget wget2 aria2c axel httpie http https xh nc ncat netcat socat telnet ftp lftp sftp tftp scp rsync ssh sshpass
  mosh dig nslookup host ping traceroute whois openssl lynx links w3m elinks youtube-dl yt-dlp gsutil aws az gcloud s3cmd
  rclone kubectl docker podman npx pnpx bunx uvx pipx smbclient mail sendmail msmtp Invoke-WebRequest iwr bitsadmin certutil`
    .split(/\s+/)
    .filter((word) => word !== ""),
);
/** Programs that reach it when this is what they are asked for. */
const ASKED: { readonly [program: string]: readonly string[] } = {
  git: ["clone", "fetch", "pull", "push", "ls-remote", "submodule", "remote"],
  pip: ["install", "download"],
  pip3: ["install", "download"],
  uv: ["pip", "add", "sync"],
  npm: ["install", "i", "ci", "publish"],
  pnpm: ["install", "add"],
  yarn: ["add", "install"],
  "apt-get": ["install", "update"],
  apt: ["install", "update"],
  apk: ["add"],
  yum: ["install"],
  brew: ["install"],
  cargo: ["install"],
  gem: ["install"],
  go: ["get", "install"],
};

/** The words of a command line that may be programs, as names of facts: each word with the one behind it. */
export function programsIn(command: string): readonly string[] {
  const parts = command.split(/[^\w./:@+-]+/).filter((word) => word !== "");
  const names = parts.slice(0, WORDS_MAX).map((word) => word.slice(word.lastIndexOf("/") + 1));
  return names.map((name, index) => `${PROGRAM}${name} ${names[index + 1] ?? ""}`.trim());
}

/** Whether the name of a fact is that of a program that reaches the network. */
export function isDownloader(name: string): boolean {
  if (!name.startsWith(PROGRAM)) return false;
  const [program = "", asked = ""] = name.slice(PROGRAM.length).split(" ");
  if (DOWNLOADERS.has(program)) return true;
  return Object.hasOwn(ASKED, program) && ASKED[program]?.includes(asked) === true;
}
