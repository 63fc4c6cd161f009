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

/** The address of a proxy with its port, and with its login as it was written. */
export function withPort(text: string): string {
  const url = new URL(text);
  const login = /^[^/]+\/\/([^/?#]*@)/.exec(text)?.[1] ?? '';
  return `${url.protocol}//${login}${hostAndPort(url)}`;
}
