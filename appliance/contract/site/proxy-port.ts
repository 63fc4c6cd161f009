/** Default ports of proxies, by scheme as URL has it. */
const defaultPorts: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'socks5:': 1080,
  'socks5h:': 1080,
};

/**
 * Returns host and port of a proxy, with the default port written out: programs disagree about it,
 * and URL drops it.
 */
export function hostAndPort({ host, port, protocol }: URL): string {
  return port === '' ? `${host}:${defaultPorts[protocol]}` : host;
}

/** Returns the URL of a proxy with its port, and with its login verbatim. */
export function withPort(text: string): string {
  const url = new URL(text);
  const login = /^[^/]+\/\/([^/?#]*@)/.exec(text)?.[1] ?? '';
  return `${url.protocol}//${login}${hostAndPort(url)}`;
}
