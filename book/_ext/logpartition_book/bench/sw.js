// Keeps what a proof in the page needs in the browser. The folder is named after its contents, so
// what was fetched from it once is right for good.
const folder = registration.scope;
const all = new URL("..", folder).href;

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(tidied()));
addEventListener("fetch", (event) => event.respondWith(kept(event.request)));

async function tidied() {
  for (const name of await caches.keys()) if (name.startsWith(all) && name !== folder) await caches.delete(name);
  await clients.claim();
}

async function kept(request) {
  const cache = await caches.open(folder);
  const found = await cache.match(request.url);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request.url, answer.clone());
  return answer;
}
