// The stylesheet of the status page.
export const stylesheet = `
:root {
  color-scheme: light dark;
  --ground: #f5f6f8; --paper: #fff; --ink: #161a22; --soft: #586174; --line: #e2e5eb;
  --red: #b3261e; --orange: #9a4a00; --yellow: #7a5b00; --grey: #566073; --blue: #1a5cbf; --green: #146c43;
  --red-bar: #d93a30; --orange-bar: #ee8432; --yellow-bar: #eac03a; --grey-bar: #9aa6b8; --green-bar: #38b27a;
  --shadow: 0 1px 2px #1018280d, 0 4px 16px #1018280a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0d1015; --paper: #161a21; --ink: #e9edf3; --soft: #9ba6b6; --line: #293039;
    --red: #ff9b92; --orange: #ffb071; --yellow: #f0cb5c; --grey: #b0bac8; --blue: #8fbaff; --green: #6fd6a3;
    --red-bar: #e5564c; --orange-bar: #d9762a; --yellow-bar: #c79f1f; --grey-bar: #6b7687; --green-bar: #2b8a5d;
    --shadow: none;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; padding: 0 1.25rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif;
  overflow-wrap: anywhere;
}
header, main, footer { max-width: 46rem; margin: 0 auto; }
h1, h2, h3, p, ol, ul { margin: 0; padding: 0; font-weight: inherit; }
ol, ul { list-style: none; }
a { color: inherit; text-underline-offset: .2em; }
:focus-visible { outline: 3px solid var(--blue); outline-offset: 3px; border-radius: .25rem; }
.skip { position: absolute; left: 1rem; top: -4rem; padding: .5rem 1rem; background: var(--paper); z-index: 1; }
.skip:focus { top: .5rem; }

.notice {
  margin: 0 -1.25rem; padding: .5rem 1.25rem; text-align: center; font-size: .875rem; color: var(--soft);
  background: repeating-linear-gradient(135deg, transparent 0 10px, #7f8ca514 10px 20px); border-bottom: 1px solid var(--line);
}
header { display: flex; justify-content: space-between; align-items: center; padding: 1.75rem 0 1.25rem; }
.brand { display: flex; align-items: center; gap: .6rem; font-weight: 650; font-size: 1.125rem; letter-spacing: -.01em; }
.mark { width: 1.15rem; height: 1.15rem; border-radius: 50%; border: .28rem solid var(--ink); }
.connection { font-size: .8125rem; color: var(--soft); }
.connection:not(:empty)::before {
  content: ""; display: inline-block; width: .5rem; height: .5rem; margin-right: .45rem; border-radius: 50%; background: var(--grey-bar);
}
[data-connection="live"] .connection::before { background: var(--green-bar); animation: pulse 2s ease-in-out infinite; }
@keyframes pulse { 50% { opacity: .35; } }
@media (prefers-reduced-motion: reduce) { * { animation: none !important; } }

[data-severity="CRITICAL"] { --tone: var(--red); --bar: var(--red-bar); }
[data-severity="MAJOR"] { --tone: var(--orange); --bar: var(--orange-bar); }
[data-severity="MEDIUM"] { --tone: var(--yellow); --bar: var(--yellow-bar); }
[data-severity="MINOR"] { --tone: var(--grey); --bar: var(--grey-bar); }
[data-severity="NONE"] { --tone: var(--green); --bar: var(--green-bar); }
[data-status="INVESTIGATING"], [data-status="IDENTIFIED"], [data-status="MONITORING"] { --state: var(--blue); }
[data-status="RESOLVED"] { --state: var(--green); }

.summary, .incident { background: var(--paper); border: 1px solid var(--line); border-radius: .875rem; box-shadow: var(--shadow); }
.summary { position: relative; padding: 1.5rem 1.5rem 1.5rem 4rem; background: color-mix(in srgb, var(--bar) 9%, var(--paper)); border-color: color-mix(in srgb, var(--bar) 35%, var(--line)); }
.summary::before { content: ""; position: absolute; left: 1.6rem; top: 2rem; width: 1rem; height: 1rem; border-radius: 50%; background: var(--bar); box-shadow: 0 0 0 .35rem color-mix(in srgb, var(--bar) 22%, transparent); }
.summary h1 { font-size: clamp(1.375rem, 4.5vw, 1.75rem); line-height: 1.25; font-weight: 680; letter-spacing: -.02em; }
.summary p { margin-top: .3rem; color: var(--soft); }
h2 { margin: 2.75rem 0 1rem; font-size: .8125rem; font-weight: 650; letter-spacing: .06em; text-transform: uppercase; color: var(--soft); }

.incident { padding: 1.375rem 1.5rem 1.5rem; border-left: .3rem solid var(--bar); }
.incident + .incident { margin-top: 1rem; }
.labels { display: flex; flex-wrap: wrap; gap: .4rem; }
.severity, .status { padding: .1rem .6rem; border-radius: 1rem; font-size: .8125rem; font-weight: 600; white-space: nowrap; }
.severity { color: var(--tone); border: 1px solid transparent; background: color-mix(in srgb, var(--bar) 16%, transparent); }
.status { color: var(--state); border: 1px solid color-mix(in srgb, var(--state) 40%, transparent); }
.incident h3 { margin-top: .7rem; font-size: 1.25rem; line-height: 1.35; font-weight: 650; letter-spacing: -.012em; }
.services { display: flex; flex-wrap: wrap; gap: .35rem; margin-top: .6rem; }
.services li { padding: .05rem .55rem; border: 1px solid var(--line); border-radius: .4rem; font-size: .875rem; color: var(--soft); }
.timeline { margin-top: 1.25rem; }
.timeline li { position: relative; padding: 0 0 1.25rem 1.5rem; }
.timeline li::before { content: ""; position: absolute; left: 0; top: .45rem; width: .7rem; height: .7rem; border-radius: 50%; border: .18rem solid var(--state); background: var(--paper); z-index: 1; }
.timeline li:first-child::before { background: var(--state); }
.timeline li:not(:last-child)::after { content: ""; position: absolute; left: .3rem; top: .9rem; bottom: -.45rem; width: .1rem; background: var(--line); }
.timeline li:last-child { padding-bottom: 0; }
.when { display: flex; flex-wrap: wrap; gap: .1rem .6rem; align-items: baseline; font-size: .875rem; color: var(--soft); }
.when strong { color: var(--state); font-size: .9375rem; font-weight: 650; }
.notified { padding: 0 .5rem; border-radius: .4rem; background: var(--ground); font-size: .8125rem; }
.text { margin-top: .2rem; white-space: pre-line; }

.more { margin-top: 1rem; color: var(--soft); font-size: .9375rem; }
footer { margin-top: 2.5rem; padding: 1.25rem 0 2.5rem; border-top: 1px solid var(--line); font-size: .8125rem; color: var(--soft); }
@media (max-width: 30rem) {
  .summary { padding: 1.25rem 1.25rem 1.25rem 3.4rem; }
  .summary::before { left: 1.3rem; top: 1.55rem; }
  .incident { padding: 1.125rem 1.125rem 1.25rem; }
  .incident h3 { font-size: 1.125rem; }
  header { padding: 1.25rem 0 1rem; }
}
@media print { body { background: none; } .skip, .connection { display: none; } }
`;
