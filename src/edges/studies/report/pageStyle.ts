/** How the page of a study looks: by day, in the dark, on a narrow screen and on paper. */
const LIGHT = `--paper: #fff; --text: #1f2933; --quiet: #5a6370; --line: #d5d9de; --axis: #9aa3ad; --bar: #f3f5f7;
  --blue: #0072b2; --pale: #8cc5e8; --orange: #d55e00; --outcome: #54387f;
  --line1: #0072b2; --line2: #d55e00; --line3: #009e73; --line4: #b3478c; --line5: #8a6d00; --line6: #4d5966;`;
const DARK = `--paper: #14181d; --text: #e6eaee; --quiet: #a3adb8; --line: #38414b; --axis: #68737f; --bar: #1f252c;
  --blue: #58b4e9; --pale: #2b6c96; --orange: #f08a3c; --outcome: #c3a8ec;
  --line1: #58b4e9; --line2: #f08a3c; --line3: #35c99b; --line4: #e08cc0; --line5: #e0c04a; --line6: #b4bec9;`;

export const PAGE_STYLE = `
:root { ${LIGHT} color-scheme: light dark; }
@media screen and (prefers-color-scheme: dark) { :root { ${DARK} } }
body { margin: 0; padding: 2rem 1rem 4rem; color: var(--text); background: var(--paper);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif; }
main { max-width: 62rem; margin: 0 auto; overflow-wrap: anywhere; }
h1 { font-size: 1.8rem; line-height: 1.2; margin-top: 0; }
h2 { font-size: 1.3rem; margin: 2em 0 .6em; border-bottom: 1px solid var(--line); }
.quiet { color: var(--quiet); }
.charts { display: flex; flex-wrap: wrap; gap: 1rem; }
figure { margin: 0; padding: .6rem; border: 1px solid var(--line); border-radius: 6px; max-width: 100%;
  box-sizing: border-box; }
figure svg { display: block; max-width: 100%; height: auto; }
.chart-box { overflow-x: auto; }
figcaption { max-width: 460px; font-size: .85rem; color: var(--quiet); margin-bottom: .4rem; }
figcaption b { color: var(--text); }
.wide figcaption { max-width: none; }
.legend { display: flex; flex-wrap: wrap; gap: .1rem 1.2rem; margin: 0 0 .4rem; padding: 0; list-style: none;
  font-size: .85rem; }
.legend i { display: inline-block; width: .8em; height: .8em; margin-right: .4em; border-radius: 2px; }
[data-brush] svg { cursor: crosshair; touch-action: pan-x; user-select: none; }
[data-spot], [data-at] { cursor: pointer; }
[data-spot]:hover, [data-at]:hover { stroke: var(--text); }
path[data-at]:hover { stroke-width: 3; stroke-opacity: 1; }
text[data-spot]:hover { stroke: none; text-decoration: underline; }
.faded { opacity: .08; }
tr.faded { opacity: .35; }
.brush { fill: var(--orange); fill-opacity: .25; stroke: var(--orange); pointer-events: none; }
.bar { margin: .2rem 0 0; min-height: 1.8em; font-size: .9rem; }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .8rem .3rem 0; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top;
  white-space: nowrap; }
th { white-space: normal; overflow-wrap: normal; vertical-align: bottom; }
pre { margin: 0; font: .85rem/1.4 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre-wrap;
  overflow-wrap: anywhere; }
#tip { position: fixed; left: 0; top: 0; padding: .4rem .6rem; background: #1f2933; color: #fff; border-radius: 4px;
  border: 1px solid #68737f; pointer-events: none; max-width: min(28rem, 90vw); z-index: 2; }
#chosen { position: fixed; left: 0; right: 0; bottom: 0; padding: .8rem 1rem; background: var(--bar); z-index: 1;
  border-top: 2px solid var(--blue); display: flex; gap: 1rem; justify-content: space-between; max-height: 40vh; overflow: auto; }
#command { margin-top: .4rem; user-select: all; font-weight: 600; unicode-bidi: plaintext; }
[hidden] { display: none !important; }
@media screen and (max-width: 48rem) {
  body { padding: 1rem .6rem 4rem; }
  .wide svg { max-width: none; width: 46rem; }
  #chosen { display: block; }
}
@media print {
  body { padding: 0; font-size: 10pt; }
  main { max-width: none; }
  figure, tr { break-inside: avoid; }
  figure { border: 0; padding: 0; }
  h2 { break-after: avoid; }
  .charts { display: block; }
  figure:not(.wide) { display: inline-block; width: 49%; vertical-align: top; margin-bottom: 1rem; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .faded { opacity: 1; }
  .screen, .brush, #tip, #chosen, .bar { display: none !important; }
  .table, .chart-box { overflow: visible; }
  table { font-size: 7pt; }
  th, td { white-space: normal; min-width: 0; overflow-wrap: anywhere; padding-right: .4rem; }
}
`;
