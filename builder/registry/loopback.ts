/**
 * Tells whether a URL stays on this machine. Only there may a registry, or what hands out its
 * tokens, be spoken to without TLS. Names are not resolved: `localhost` and addresses only.
 */
export function isLoopback(url: URL): boolean {
  const { hostname } = url;
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** Whether what is sent to a URL is protected: by TLS, or by never leaving the machine. */
export function isPrivate(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
}
