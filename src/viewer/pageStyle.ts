/** How the page looks: light, dark, on paper and on a phone. Colour never says anything alone. */
export const pageStyle = `
:root { color-scheme: light dark; --text: #1f2933; --quiet: #5a6370; --page: #fff; --line: #d5d9de; --soft: #f3f5f7;
  --chosen: #0b5cad; --bad: #b34700; --good: #00654a; --here: #dcebfa; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e4e7eb; --quiet: #a3adb8; --page: #14181d; --line: #3a434d; --soft: #20262d; --chosen: #7ab8ff;
    --bad: #ff9a57; --good: #5fd3ac; --here: #1d3550; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text);
  font: 13px/1.45 system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif; }
#app { padding: 0 12px 8px; }
#app:empty::before { content: "Reading the run …"; display: block; padding: 2rem; }
header { display: flex; gap: 12px; align-items: baseline; padding: 8px 0 6px; flex-wrap: wrap; }
h1 { font-size: 18px; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 14px; margin: 0 0 4px; overflow-wrap: anywhere; }
h3 { font-size: 12px; margin: 10px 0 2px; color: var(--quiet); text-transform: uppercase; letter-spacing: 0.04em; }
p { margin: 0 0 6px; }
.number { background: var(--chosen); color: var(--page); border-radius: 8px; padding: 0 6px; font-size: 11px; }
.grow { flex: 1; }
.quiet { color: var(--quiet); }
.strong { font-weight: 600; }
.note { border-left: 3px solid var(--bad); padding-left: 8px; }
button, select, input { font: inherit; color: inherit; }
button:not(.link), select, input[type=search] { border: 1px solid var(--line); border-radius: 4px; background: var(--soft);
  padding: 2px 8px; }
button:not(.link):hover { border-color: var(--quiet); cursor: pointer; }
button[aria-pressed=true], button[aria-selected=true] { border-color: var(--chosen); color: var(--chosen); font-weight: 600; }
:focus-visible { outline: 2px solid var(--chosen); outline-offset: 1px; }
.link { vertical-align: top; border: 0; background: none; padding: 0; text-align: left; cursor: pointer; overflow-wrap: anywhere; }
.link:hover { text-decoration: underline; }
kbd { border: 1px solid var(--line); border-radius: 3px; padding: 0 4px; font-size: 11px; color: var(--quiet); }
time { font-variant-numeric: tabular-nums; color: var(--chosen); }
.answers { display: grid; grid-template-columns: minmax(0, 4fr) minmax(0, 8fr) minmax(0, 6fr); gap: 8px; }
.answers.two { grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); }
.answers > section { border: 1px solid var(--line); border-radius: 6px; padding: 8px 10px; max-height: 54vh; overflow: auto; }
.moments, .changes { margin: 0; padding: 0; list-style: none; }
.chain { margin: 0; padding-left: 26px; }
.chain li { padding: 0 4px; margin: 1px 0; }
.chain li.here, tr.here { background: var(--here); }
.chain li::marker { color: var(--chosen); font-weight: 600; font-variant-numeric: tabular-nums; }
ul.chain { padding-left: 18px; }
.answers .chain .link { display: inline; }
.chips { display: flex; gap: 4px; flex-wrap: wrap; margin-bottom: 6px; }
.chips button { max-width: 18em; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
table { border-collapse: collapse; }
th, td { text-align: left; vertical-align: top; padding: 3px 8px 3px 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; }
.variants { width: 100%; font-size: 12px; font-variant-numeric: tabular-nums; }
.variants tr:first-child td:first-child { font-weight: 600; min-width: 9em; }
.variants tr:has(+ .why) td { border: 0; padding-bottom: 0; }
.variants .why td { color: var(--quiet); padding-top: 0; overflow-wrap: anywhere; }
.play, .ask { font-size: 11px; white-space: nowrap; }
.why .play { float: right; }
.variants .remedy tr:first-child td:first-child { color: var(--good); }
.tag { color: var(--bad); font-size: 12px; }
.share { display: block; width: 70px; height: 6px; background: var(--soft); border: 1px solid var(--line); margin: 5px 0 2px; }
.share i { display: block; height: 100%; background: #d55e00; }
.answers > .decided { grid-column: 1 / -1; }
.suspects td { overflow-wrap: anywhere; }
.suspects td:nth-child(2) { width: 40%; }
.suspects td:nth-child(3) { white-space: nowrap; }
.lane { display: block; height: 14px; position: relative; margin-top: 3px; background: var(--soft); }
.lane i { position: absolute; top: 4px; bottom: 4px; right: 0; background: var(--line); border-left: 3px solid var(--chosen); }
.effect { display: inline-block; position: relative; width: 120px; height: 10px; margin: 0 8px 0 0; }
.effect b { position: absolute; top: 3px; height: 2px; background: var(--text); }
.timeline { position: relative; border: 1px solid var(--line); border-radius: 6px; margin: 8px 0; overflow: hidden; }
.lanes { overflow-y: auto; overflow-x: hidden; border-top: 1px solid var(--line); }
.lanes canvas { position: sticky; top: 0; display: block; cursor: crosshair; touch-action: pan-y; }
.lanes .over { pointer-events: none; }
.drawn { position: relative; }
.cursor { position: absolute; left: -1px; width: 2px; background: var(--chosen); pointer-events: none; will-change: transform; }
.strip { display: block; cursor: ew-resize; touch-action: none; }
.hover { position: absolute; max-width: 310px; pointer-events: none; background: var(--page); border: 1px solid var(--quiet);
  border-radius: 4px; padding: 3px 7px; box-shadow: 0 2px 8px #0003; overflow-wrap: anywhere; }
.legend { display: flex; gap: 2px 14px; flex-wrap: wrap; margin: 0; padding: 3px 12px; border-top: 1px solid var(--line);
  color: var(--quiet); font-size: 12px; }
.sign { display: inline-block; width: 11px; height: 11px; vertical-align: -1px; background: currentColor; }
.sign.disc { border-radius: 50%; }
.sign.ring { border-radius: 50%; background: none; border: 2px solid; }
.sign.tick { width: 2px; }
.sign.open, .sign.awaited { height: 2px; vertical-align: 4px; }
.sign.stroke, .sign.times { background: none; position: relative; }
.sign.stroke::before, .sign.times::before { content: "✕"; position: absolute; left: 0; top: -0.35em; font-size: 13px; line-height: 1.3; }
.sign.diamond { transform: rotate(45deg) scale(0.8); }
.tools { display: flex; gap: 6px; align-items: center; flex-wrap: wrap; position: sticky; top: 0; background: var(--page); padding: 4px 0;
  z-index: 1; }
.clock { font-size: 16px; font-weight: 600; font-variant-numeric: tabular-nums; width: 7.5em; height: 1.45em; contain: strict;
  text-align: center; }
.filters { display: flex; gap: 6px; align-items: center; flex-wrap: wrap; }
.filters select { max-width: 11em; }
.filters input[type=search] { width: 11em; }
.hits { min-width: 6em; color: var(--quiet); font-variant-numeric: tabular-nums; }
.panels { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: 8px; height: 62vh; min-height: 320px; }
.panels > section { border: 1px solid var(--line); border-radius: 6px; padding: 8px 10px; overflow: auto; min-height: 0; }
.tabs { display: flex; flex-direction: column; }
.tabs [role=tablist] { display: flex; gap: 4px; padding-bottom: 6px; }
.tabs .body { overflow: auto; flex: 1; min-height: 0; position: relative; }
.letters { width: 100%; font-variant-numeric: tabular-nums; }
.letters thead th { position: sticky; top: 0; background: var(--page); }
.letters tbody tr { cursor: pointer; }
.letters tbody tr:hover { background: var(--soft); }
.letters td { overflow-wrap: anywhere; }
.letters td:nth-child(-n+2) { white-space: nowrap; }
.letters td:nth-child(3) { min-width: 11em; color: var(--quiet); }
tr.failed td:last-child, .link.failed, tr.wrong td:last-child, .link.wrong { color: var(--bad); }
tr.failed td:last-child { font-weight: 600; }
mark { background: #f0e442; color: #000; }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere;
  font: 12px/1.45 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.context th { white-space: nowrap; }
.lit { background: var(--here); border-radius: 4px; padding: 1px 6px; }
.chart { overflow: auto; max-height: 380px; border: 1px solid var(--line); border-radius: 6px; margin: 6px 0; }
.chart svg { display: block; margin: 0 auto; }
.chart rect { fill: var(--page); stroke: var(--quiet); }
.chart text { text-anchor: middle; fill: var(--text); font-size: 12px; }
.chart path { fill: none; stroke: var(--quiet); opacity: 0.65; }
.chart marker path { fill: var(--quiet); stroke: none; opacity: 1; }
.chart .tip-taken path { fill: var(--chosen); }
.chart .was rect { stroke: var(--chosen); stroke-dasharray: 4 3; }
.chart .on rect { fill: var(--here); stroke: var(--chosen); stroke-width: 2; stroke-dasharray: none; }
.chart .on text { font-weight: 700; }
.chart path.taken { stroke: var(--chosen); stroke-width: 2.5; opacity: 1; }
.guard { display: inline-block; border: 1px solid var(--line); border-radius: 8px; padding: 0 8px; margin: 0 4px 2px 0; color: var(--quiet); }
.guard.held { border-color: var(--good); color: var(--good); font-weight: 600; }
.live { color: var(--bad); white-space: nowrap; }
.timeline h2 { margin: 0; padding: 4px 12px 2px; color: var(--quiet); }
.timeline.chosen h2 { color: var(--chosen); }
.sign.differs, .both .alone { background: #e6a70038; }
.both { width: 100%; table-layout: fixed; font-variant-numeric: tabular-nums; }
.both th:first-child { width: 5.5em; }
.both thead th { position: sticky; top: 0; background: var(--page); }
.both td { overflow-wrap: anywhere; }
.both td:not(:first-child) { padding-left: 6px; }
.both tr.here { background: none; }
.both tr.here td { border-top: 2px solid var(--chosen); }
.figures td:not(:first-child), .figures th:not(:first-child) { text-align: right; }
.figures td { overflow-wrap: anywhere; }
.answers.beside > section { max-height: 30vh; }
.figures tbody h3 { margin: 6px 0 0; }
.sides { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 8px; }
figure { margin: 0; }
figcaption { font-weight: 600; }
.sides pre { background: var(--soft); border-radius: 4px; padding: 6px 8px; }
.help { position: fixed; top: 8vh; z-index: 5; max-width: 560px; border: 1px solid var(--quiet); border-radius: 8px; padding: 16px;
  background: var(--page); color: var(--text); box-shadow: 0 8px 40px #0006; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
footer { padding: 8px 0; overflow-wrap: anywhere; }
.plain { max-width: 60rem; margin: 0 auto; padding: 1rem; }
.list { max-width: none; }
.list a { color: var(--chosen); font-weight: 600; }
.list td { padding-right: 16px; overflow-wrap: anywhere; }
.plain svg { max-width: 100%; height: auto; background: #fff; }
.plain .table { overflow-x: auto; }
@media (max-width: 900px) {
  .answers, .answers.two, .panels, .sides { grid-template-columns: minmax(0, 1fr); }
  .panels { height: auto; }
  .panels > section { max-height: 80vh; }
  .answers > section, .answers.beside > section { max-height: none; }
}
@media (max-width: 600px) {
  .letters tr > :nth-child(2), .letters tr > :nth-child(3) { display: none; }
}
@media print {
  .play, .ask, .tools, header button, .chips, footer { display: none; }
  .answers > section, .answers.beside > section, .panels > section, .tabs .body { max-height: none; overflow: visible; }
  .panels { height: auto; display: block; }
  .answers { display: block; }
  section { break-inside: avoid-page; margin-bottom: 8px; }
}
`;
