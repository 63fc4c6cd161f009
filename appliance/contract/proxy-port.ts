/** Ports of proxies whose address names none, by scheme as URL has it. */
const defaultPorts: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'socks5:': 1080,
  'socks5h:': 1080,
};

/**
 * Host and port of a proxy. Programs disagree about the port that goes without saying, and URL drops
 * it, so it is always written out.
 */
export function hostAndPort({ host, port, protocol }: URL): string {
  return port === '' ? `${host}:${defaultPorts[protocol]}` : host;
}

/** The address of a proxy, login included, with its port. */
export function withPort(url: URL): string {
  const { protocol, username, password } = url;
  const login = username === '' ? '' : `${username}:${password}@`;
  return `${protocol}//${login}${hostAndPort(url)}`;
}
