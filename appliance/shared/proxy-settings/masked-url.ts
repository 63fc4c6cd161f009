/** Formats the URL of a proxy for display: without its password, and without a user that has none. */
export function maskedUrl(text: string): string {
  const { protocol, username, password, host } = new URL(text);
  const login = password === '' ? username && '***@' : `${username}:***@`;
  return `${protocol}//${login}${host}`;
}
