import { decode, fromBase64Text } from './link.ts';

/** Transports of Shadowrocket with their names in other programs. */
const transports: ReadonlyMap<string, string> = new Map([
  ['websocket', 'ws'],
  ['none', 'tcp'],
  ['mkcp', 'kcp'],
]);

/**
 * Returns the standard form of a link that Shadowrocket writes: `vmess://` or `vless://` with
 * `method:user@host:port` in base64, and its own names of parameters.
 * @returns undefined for another link
 */
export function fromShadowrocket(text: string): string | undefined {
  const [, scheme = '', body = '', query = '', fragment = ''] =
    /^(vmess|vless):\/\/([^?#@]*)(?:\?([^#]*))?(#.*)?$/is.exec(text) ?? [];
  const [, method = '', address = ''] =
    /^([^:@]+):([^@]+@.+)$/s.exec(fromBase64Text(body) ?? '') ?? [];
  if (address === '') return undefined;
  const values = new Map(
    query
      .split('&')
      .filter(Boolean)
      .map((part): [string, string] => {
        const [key = '', ...rest] = part.split('=');
        return [key, rest.join('=')];
      }),
  );
  const parameters = [...values].flatMap(([key, value]) => renamed(key, value, values));
  if (/^vmess$/i.test(scheme)) parameters.push(`encryption=${method}`);
  const name = fragment || `#${values.get('remarks') ?? ''}`;
  return `${scheme}://${address}?${parameters.join('&')}${name}`;
}

function renamed(key: string, value: string, all: ReadonlyMap<string, string>): string[] {
  if (key === 'remarks') return [];
  // 2 is Vision.
  if (key === 'xtls' && value === '2') return ['flow=xtls-rprx-vision'];
  if (key === 'tls' && all.get('pbk')) return ['security=reality'];
  if (key === 'obfs' && value === 'http') return ['type=tcp', 'headerType=http'];
  if (key === 'path' && all.get('obfs') === 'grpc') return [`serviceName=${value}`];
  if (key === 'obfsParam') return [`host=${hostIn(value)}`];
  if (key === 'obfs') return [`type=${transports.get(value) ?? value}`];
  return [`${key}=${value}`];
}

/** The host is plain, or the header Host in JSON. */
function hostIn(value: string): string {
  const [, host] = /"Host"\s*:\s*"([^"]*)"/i.exec(decode(value) ?? '') ?? [];
  return host === undefined ? value : encodeURIComponent(host);
}
