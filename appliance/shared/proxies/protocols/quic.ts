import { z } from 'zod';
import { portSchema, wholeNumber } from '../model/text.ts';
import type { Fields } from '../source/fields.ts';
import { addressOf, type Link } from './link.ts';
import { compact, hostOf, sentNameOf, type Written } from './protocol.ts';
import {
  alpnOf,
  clashTls,
  insecureOf,
  linkServerName,
  namedTls,
  singBoxTls,
  type TlsDraft,
} from './tls.ts';

/** What the protocols over QUIC share: TLS, changing ports, and speeds. */

const portRange = z
  .tuple([portSchema, portSchema])
  .refine(([first, last]) => first <= last, 'must begin with its lower port');

const interval = wholeNumber(5, 86_400);

/** Mbit/s. */
export const speedSchema = wholeNumber(1, 100_000);
/** Zero means that none is set. */
export const speedOrNone = wholeNumber(0, 100_000);

/** Options of QUIC in Clash that sing-box does not have. */
const tuning = [
  ...['cwnd', 'bbr-profile', 'udp-mtu', 'fast-open', 'disable-mtu-discovery'],
  ...['initial-stream-receive-window', 'max-stream-receive-window', 'recv-window'],
  ...['initial-connection-receive-window', 'max-connection-receive-window', 'recv-window-conn'],
];

/** Fields of a client that changes its port. */
export const hopping = {
  /** `port` is the first of them. */
  ports: z.array(portRange).min(1).max(64).optional(),
  /** Seconds between changes. */
  'hop-interval': interval.optional(),
};

interface Hopping {
  readonly port: number;
  readonly ports?: readonly (readonly [number, number])[] | undefined;
  readonly 'hop-interval'?: number | undefined;
}

/** Adds the checks of changing ports to the schema of a protocol. */
export function withHopping<Schema extends z.ZodType<Hopping>>(schema: Schema): Schema {
  return schema
    .refine(({ port, ports }) => ports === undefined || ports[0]?.[0] === port, {
      error: 'must begin with the port of the proxy',
      path: ['ports'],
    })
    .refine((proxy) => proxy.ports !== undefined || proxy['hop-interval'] === undefined, {
      error: 'needs several ports',
      path: ['hop-interval'],
    });
}

/** Parses ports such as `443,5000-6000`, and reports invalid ones. */
function parsePorts(fields: Fields, key: string, text: string): [number, number][] | undefined {
  const ranges = text.split(/[,/]/).map((part): [number, number] => {
    const [, first = '', last = first] = /^\s*(\d{1,5})(?:[-:](\d{1,5}))?\s*$/.exec(part) ?? [];
    return [Number(first), Number(last)];
  });
  const valid = z
    .array(z.tuple([portSchema, portSchema]))
    .max(64)
    .safeParse(ranges).success;
  if (valid && ranges.every(([first, last]) => first <= last)) return ranges;
  return fields.problem(key, 'must be ports such as 443,5000-6000');
}

/** Reads the seconds between changes of the port. Of a range, the first number is used. */
function hopInterval(fields: Fields): number | undefined {
  const text = fields.text('hop-interval');
  if (text === undefined) return undefined;
  const digits = /^(\d{1,6})(?:\s*-\s*\d{1,6})?s?$/.exec(text.trim())?.[1];
  const seconds = digits === undefined ? Number.NaN : Math.max(5, Number(digits));
  return fields.check('hop-interval', interval, seconds);
}

/** Ports, speeds and TLS in Clash. */
export const clashQuic = {
  readPorts(fields: Fields) {
    const [ports, mport] = ['ports', 'mport'].map((key) => {
      const text = fields.text(key);
      return text === undefined ? undefined : parsePorts(fields, key, text);
    });
    if (ports && mport && String(ports) !== String(mport))
      fields.flaw('mport', 'differs from ports');
    const used = ports ?? mport;
    const seconds = hopInterval(fields);
    return { ports: used, ...(used ? { port: used[0]?.[0], 'hop-interval': seconds } : {}) };
  },

  writePorts(proxy: Hopping): Written {
    return {
      ports: proxy.ports
        ?.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`))
        .join(','),
      'hop-interval': proxy['hop-interval'],
    };
  },

  /** Reads a number, or a text such as `30 Mbps`. */
  readSpeed(fields: Fields, key: string): number | undefined {
    const text = fields.text(key);
    if (text === undefined || /^0+$/.test(text)) return undefined;
    const [, digits = '', unit = ''] =
      /^(\d{1,9})(?:\.\d+)?\s*([kmg]?)(?:b(?:it)?\/?p?s)?$/i.exec(text.trim()) ?? [];
    const factor = { k: 0.001, g: 1000 }[unit.toLowerCase()] ?? 1;
    const speed = digits === '' ? Number.NaN : Math.round(Number(digits) * factor);
    return fields.check(key, speedSchema, speed);
  },

  readTls(fields: Fields): TlsDraft {
    for (const key of tuning) fields.ignore(key);
    for (const key of ['ca', 'ca-str']) fields.refuse(key);
    // UDP is always forwarded.
    fields.ignore('udp', [true, 'true', false, 'false']);
    clashTls.refuseOthers(fields);
    const tls = {
      'server-name': sentNameOf(fields, 'sni'),
      insecure: fields.flag('skip-cert-verify') ?? false,
      alpn: alpnOf(fields, 'alpn', fields.texts('alpn')),
    };
    return namedTls(tls, hostOf(fields, 'server'));
  },
};

/** Ports and TLS in sing-box. */
export const singBoxQuic = {
  readPorts(fields: Fields) {
    const list = fields.texts('server_ports');
    // `:443` and `443:` have open ends.
    const ranges = list?.map((range) =>
      range.replace(/^:/, '1:').replace(/:$/, ':65535').replace(':', '-'),
    );
    const ports = ranges && parsePorts(fields, 'server_ports', ranges.join(','));
    return {
      ports,
      ...(ports ? { port: ports[0]?.[0] } : {}),
      'hop-interval': readSeconds(fields, 'hop_interval', interval),
    };
  },

  writePorts(proxy: Hopping): Written {
    const { ports, 'hop-interval': seconds } = proxy;
    return {
      // sing-box accepts one of the two.
      ...(ports ? { server_port: undefined } : {}),
      server_ports: ports?.map(([first, last]) => `${first}:${last}`),
      hop_interval: seconds && `${seconds}s`,
    };
  },

  readTls(fields: Fields, server: string | undefined): TlsDraft {
    const { fingerprint, reality, ...tls } = singBoxTls.read(fields) ?? {};
    if (tls.insecure === undefined) fields.problem('tls', 'must be enabled');
    if (fingerprint || reality)
      fields.problem('tls', 'utls and reality are not supported with QUIC');
    return namedTls(tls, server);
  },
};

/** Reads a duration of Go in whole seconds, such as `30s`, `5m` or `1h30m`. */
export function readSeconds(
  fields: Fields,
  key: string,
  schema: z.ZodType<number>,
): number | undefined {
  const text = fields.text(key);
  if (text === undefined) return undefined;
  const [, hours, minutes, rest] =
    /^(?:(\d{1,4})h)?(?:(\d{1,6})m)?(?:(\d{1,6})s)?$/.exec(text) ?? [];
  const isEmpty = (hours ?? minutes ?? rest) === undefined;
  const total = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(rest ?? 0);
  return fields.check(key, schema, isEmpty ? Number.NaN : total);
}

/** The address with its ports, speeds and TLS of a link. */
export const linkQuic = {
  /** The port can be a list: `443,5000-6000`. */
  readAddress(link: Link) {
    const { fields, port } = link;
    const many = /[,-]/.test(port) ? port : fields.text('mport');
    const ports = many === undefined ? undefined : parsePorts(fields, 'port', many);
    const first = String(ports?.[0]?.[0] ?? '');
    return {
      ...addressOf(many === undefined ? link : { ...link, port: first }, 443),
      ports,
      'hop-interval': ports && hopInterval(fields),
    };
  },

  /** The name of the parameter can have the unit. */
  readSpeed(fields: Fields, name: 'up' | 'down'): number | undefined {
    const key = fields.has(name) ? name : `${name}mbps`;
    const text = fields.text(key)?.replaceAll('+', ' ').trim();
    const digits = /^(\d{1,6})(?:\.\d+)?\s*(?:mbps)?$/i.exec(text ?? '')?.[1];
    if (text !== undefined && digits === undefined) return fields.flaw(key, 'must be a speed');
    return (digits && fields.check(key, speedOrNone, Number(digits))) || undefined;
  },

  readTls({ fields, host }: Link): TlsDraft {
    const tls = { 'server-name': linkServerName(fields), insecure: insecureOf(fields) };
    const alpn = alpnOf(fields, 'alpn', fields.text('alpn')?.split(','));
    return namedTls(compact({ ...tls, alpn }), host);
  },
};
