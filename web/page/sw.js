// SPDX-License-Identifier: MIT
// Keeps the page for when there is no network. The build puts its own number here, so that a new one replaces the old.
const cache_name = "gpucode-BUILD";
const files = FILES;

self.addEventListener("install", (event) => {
    event.waitUntil(caches.open(cache_name).then((cache) => cache.addAll(files)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
    event.waitUntil(caches.keys().then((names) => Promise.all(names.filter((name) => name !== cache_name).map((name) => caches.delete(name))))
        .then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
    if (event.request.method === "GET" && new URL(event.request.url).origin === location.origin)
        event.respondWith(caches.match(event.request, { ignoreSearch: true }).then((kept) => kept ?? fetch(event.request)));
});
