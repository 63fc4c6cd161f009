import { ipVersion, isInRange } from '#platform/ip.ts';

/**
 * Tells whether NO_PROXY exempts a URL. Read the way Go programs (Docker, Podman, skopeo) read it,
 * so that one setting means the same everywhere: entries are separated by commas or blanks;
 * `example.com` stands for itself and what is under it, `.example.com` and `*.example.com` only
 * for what is under it; addresses match exactly or by prefix (`10.0.0.0/8`); `:port` narrows an
 * entry; `*` exempts everything. Entries that make no sense are passed over.
 */
export function isExempt(url: URL, noProxy: string): boolean {
  const host = bareHost(url);
  const port = url.port === '' ? defaultPort(url) : url.port;
  return entriesOf(noProxy).some((entry) => matches(entry, host, port));
}

/** The host of a URL without the brackets of IPv6 and the dot of absolute names. */
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
