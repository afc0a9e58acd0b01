// The script that keeps the status page live.
export const liveScript = `"use strict";
const interval = 1000;
const main = document.querySelector("main");
const connection = document.querySelector("[data-connection]");
let current = main.innerHTML;
const wait = () => new Promise((resolve) => setTimeout(resolve, interval));

async function refresh() {
  const response = await fetch("/", { cache: "no-store" });
  const next = new DOMParser().parseFromString(await response.text(), "text/html");
  const latest = next.querySelector("main");
  if (latest.innerHTML === current) return;
  current = latest.innerHTML;
  document.title = next.title;
  main.replaceChildren(...latest.childNodes);
}

async function live() {
  for (;;) {
    await wait();
    if (document.hidden) continue;
    const isReached = await refresh().then(() => true, () => false);
    document.body.dataset.connection = isReached ? "live" : "lost";
    connection.textContent = isReached ? "Live" : "The sandbox has ended";
  }
}
live();
`;
