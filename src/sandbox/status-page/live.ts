// The script of the status page: it fetches the page again and puts in what is new. Without it the page loads
// itself again now and then.

/** Every second: an incident should appear while one still looks. */
export const liveScript = `"use strict";
const pause = 1000;
const main = document.querySelector("main");
const connection = document.querySelector("[data-connection]");
let shown = main.innerHTML;
const wait = () => new Promise((resolve) => setTimeout(resolve, pause));

async function refresh() {
  const response = await fetch("/", { cache: "no-store" });
  const next = new DOMParser().parseFromString(await response.text(), "text/html");
  const there = next.querySelector("main");
  if (there.innerHTML === shown) return;
  shown = there.innerHTML;
  for (const { id } of main.querySelectorAll("details[open]")) {
    next.getElementById(id)?.setAttribute("open", "");
  }
  document.title = next.title;
  main.replaceChildren(...there.childNodes);
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
