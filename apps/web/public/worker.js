// Opens the portal where there is no network, from what its pages are made of, and shows the notices that it sends to this
// browser, also while no page of it is open.

/** The build writes here what the first pages are made of, and the name of this version. */
const FILES = [];
const VERSION = '';

const KEPT = `shell-${VERSION}`;
const PAGE = '/';
/** A network that takes longer for the page itself is no better than none. */
const LONGEST_MS = 3_000;

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(KEPT)
      .then((kept) => kept.addAll([...FILES, PAGE]))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin || VERSION === '') return;
  if (request.mode === 'navigate' && isPage(url.pathname)) event.respondWith(page(request));
  else if (url.pathname.startsWith('/assets/')) event.respondWith(asset(request));
});

/** What opens as a page; the description of the API and files of the server do not. */
const isPage = (path) => path === PAGE || /^\/(?:bus|user|error|login|signUp)(?:\/|$)/.test(path);

/** The page as the server has it, since a new version may be out; the kept one where it does not come. */
async function page(request) {
  const kept = await caches.open(KEPT);
  const known = await kept.match(PAGE);
  const fetched = fetch(request).then((response) => {
    if (response.ok && !response.redirected) void kept.put(PAGE, response.clone());
    return response;
  });
  if (!known) return fetched;
  const late = new Promise((resolve) => setTimeout(() => resolve(known), LONGEST_MS));
  return Promise.race([fetched.catch(() => known), late]);
}

/** Files of the build never change under their name. */
async function asset(request) {
  const kept = await caches.open(KEPT);
  const known = await kept.match(request.url);
  if (known) return known;
  const response = await fetch(request);
  if (response.ok) void kept.put(request.url, response.clone());
  return response;
}

self.addEventListener('push', (event) => {
  let notice = {};
  try {
    notice = event.data?.json() ?? {};
  } catch {
    // What cannot be read is still told: browsers take push away from pages that stay silent.
  }
  const { title = 'Sonnenwarte', body = '', lang = '', url = '/' } = notice;
  event.waitUntil(
    self.registration.showNotification(title, { body, lang, icon: '/icon-192.png', tag: title, data: { url } }),
  );
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const target = new URL(event.notification.data?.url ?? '/', self.location.origin);
  if (target.origin !== self.location.origin) return;
  event.waitUntil(
    self.clients.matchAll({ type: 'window', includeUncontrolled: true }).then((pages) => {
      const [page] = pages;
      return page ? page.focus() : self.clients.openWindow(target.href);
    }),
  );
});
