// Keeps what a proof in the page needs in the browser. The folder is named after its contents, so
// what was fetched from it once is right for good; where a browser keeps nothing, it is fetched
// anew.
const folder = registration.scope;
const all = new URL("..", folder).href;

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(tidied()));
addEventListener("fetch", (event) => event.respondWith(kept(event)));

async function tidied() {
  for (const name of await caches.keys())
    if (name.startsWith(all) && name !== folder) await caches.delete(name);
}

async function kept(event) {
  const { url } = event.request;
  const found = await caches.match(url, { cacheName: folder }).catch(() => null);
  if (found) return found;
  const answer = await fetch(event.request);
  if (answer.ok) event.waitUntil(stored(url, answer.clone()));
  return answer;
}

async function stored(url, answer) {
  try {
    await (await caches.open(folder)).put(url, answer);
  } catch {} // a full disk, or a browser that keeps nothing
}
