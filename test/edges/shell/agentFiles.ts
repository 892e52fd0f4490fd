// The files among which the command lines of agentCommands.ts run.
export const agentFiles: { readonly [name: string]: string } = {
  "notes.md": "# Notes of cedar\nalpha beta\ngamma\nalpha beta\n\nlast line\n",
  "table.csv": "name,age,town\nann,30,york\nbob,4,bath\ncid,100,hull\n",
  "numbers.txt": "10\n9\n-1\n2.5\n10\nx\n",
  "no-newline.txt": "one\ntwo",
  "empty.txt": "",
  "plan/step 1.md": "open the file\n",
  "plan/deep/final.md": "write the report\nTODO none\n",
  ".hidden": "secret\n",
  "app.log":
    "2026-01-02 10:00:01 INFO start pid=41\n2026-01-02 10:00:05 ERROR disk full path=/data\n" +
    "2026-01-02 10:01:00 WARN retry 1\n2026-01-02 10:01:30 ERROR timeout after 30s\n2026-01-02 10:02:00 INFO done\n",
  "data.json":
    '{"name":"cedar","tags":["a","b"],"score":7.5,"items":[{"id":1,"ok":true},{"id":2,"ok":false},{"id":3,"ok":true}]}\n',
  "events.jsonl": '{"t":1,"kind":"read"}\n{"t":2,"kind":"write"}\n{"t":5,"kind":"read"}\n',
  "config.ini": "[main]\nhost=localhost\nport=8080\n# comment\n\n[log]\nlevel=debug\n",
  "src/tool.py":
    "import json\n\ndef tool(path):\n    # TODO: check\n    return json.load(open(path))\n",
  "src/lib/util.py": "def add(a, b):\n    return a + b\n\n\ndef sub(a, b):\n    return a - b\n",
};
