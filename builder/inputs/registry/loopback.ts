/**
 * Returns whether a URL refers to this machine. Only there may a registry or its token service be
 * used without TLS. Names are not resolved: only `localhost` and loopback addresses match.
 */
export function isLoopback(url: URL): boolean {
  const { hostname } = url;
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** Returns whether requests to a URL are protected: by TLS, or because they stay on the machine. */
export function isPrivate(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
}
