/**
 * Formats a URL for display: without user, password, query and fragment, because signed URLs have
 * their secret in the query.
 */
export function safeUrl(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`;
}

/** Returns a copy of a URL without user and password, for requests. */
export function withoutUserinfo(url: URL): URL {
  const copy = new URL(url);
  copy.username = '';
  copy.password = '';
  return copy;
}
