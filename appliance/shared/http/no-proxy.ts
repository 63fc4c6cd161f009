import { ipVersion, isInRange } from '#platform/ip.ts';

/**
 * Returns whether NO_PROXY exempts a URL. Uses the rules of Go programs (Docker, Podman, skopeo),
 * so that one setting has one meaning: entries are separated by commas or spaces; `example.com`
 * matches itself and its subdomains, `.example.com` and `*.example.com` only its subdomains;
 * addresses match exactly or by prefix (`10.0.0.0/8`); `:port` restricts an entry; `*` matches
 * everything. Invalid entries are ignored.
 */
export function isExempt(url: URL, noProxy: string): boolean {
  const host = bareHost(url);
  const port = url.port === '' ? defaultPort(url) : url.port;
  return entriesOf(noProxy).some((entry) => matches(entry, host, port));
}

/** Returns the host of a URL without IPv6 brackets and a trailing dot. */
export function bareHost(url: URL): string {
  return trimmed(url.hostname.toLowerCase());
}

function entriesOf(noProxy: string): string[] {
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '');
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return isInside(host, entry);
  const [name, only] = splitPort(entry);
  if (only !== undefined && only !== port) return false;
  if (ipVersion(host) !== 0) return isInside(host, `${name}/${ipVersion(name) === 6 ? 128 : 32}`);
  const suffix = name.startsWith('*.') ? name.slice(1) : name;
  if (suffix.startsWith('.')) return suffix.length > 1 && host.endsWith(suffix);
  return suffix !== '' && (host === suffix || host.endsWith(`.${suffix}`));
}

function splitPort(entry: string): [name: string, port: string | undefined] {
  const found = /^(?<name>\[[^\]]*\]|[^:]*):(?<port>\d+)$/.exec(entry);
  if (found?.groups === undefined) return [trimmed(entry), undefined];
  return [trimmed(found.groups.name ?? ''), found.groups.port];
}

function isInside(host: string, prefix: string): boolean {
  const [network = '', bits = ''] = prefix.split('/');
  const version = ipVersion(network);
  if (version === 0 || ipVersion(host) === 0 || !/^\d{1,3}$/.test(bits)) return false;
  if (Number(bits) > (version === 6 ? 128 : 32)) return false;
  return isInRange(host, network, Number(bits));
}

function trimmed(name: string): string {
  return name.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

function defaultPort(url: URL): string {
  return url.protocol === 'https:' ? '443' : '80';
}
