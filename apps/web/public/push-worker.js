// Shows the notices that the portal sends to this browser, also while no page of it is open.

self.addEventListener('push', (event) => {
  let notice = {};
  try {
    notice = event.data?.json() ?? {};
  } catch {
    // What cannot be read is still told: browsers take push away from pages that stay silent.
  }
  const { title = 'Sonnenwarte', body = '', lang = '', url = '/' } = notice;
  event.waitUntil(
    self.registration.showNotification(title, { body, lang, icon: '/favicon.svg', tag: title, data: { url } }),
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
