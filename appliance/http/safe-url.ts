/**
 * A URL as it may be shown: without user, password, query and fragment, since signed URLs carry
 * their secret in the query.
 */
export function safeUrl(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`;
}

/** A copy of a URL without user and password: what requests are made with. */
export function withoutUserinfo(url: URL): URL {
  const copy = new URL(url);
  copy.username = '';
  copy.password = '';
  return copy;
}
