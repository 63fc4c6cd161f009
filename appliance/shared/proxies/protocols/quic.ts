import { z } from 'zod';
import { portSchema, wholeNumber } from '../model/text.ts';
import type { Fields } from '../source/fields.ts';
import { because } from '../source/reasons.ts';
import { addressOf, type Link } from './link.ts';
import { type Part, sentNameOf } from './protocol.ts';
import {
  alpnOf,
  clashTls,
  insecureOf,
  linkServerName,
  linkTlsOn,
  singBoxTls,
  tlsPart,
} from './tls.ts';

/** What the protocols over QUIC share: TLS, changing ports, and speeds. */

const portRange = z
  .tuple([portSchema, portSchema])
  .refine(([first, last]) => first <= last, because('lower-port-first'));

const portRanges = z.array(portRange).min(1).max(64);

const interval = wholeNumber(5, 86_400);

/** Mbit/s. */
export const speedSchema = wholeNumber(1, 100_000);
/** Zero means that none is set. */
const speedOrNone = wholeNumber(0, 100_000);

/** Options of QUIC in Clash that sing-box does not have. */
const tuning = [
  ...['cwnd', 'bbr-profile', 'udp-mtu', 'fast-open', 'disable-mtu-discovery'],
  ...['initial-stream-receive-window', 'max-stream-receive-window', 'recv-window'],
  ...['initial-connection-receive-window', 'max-connection-receive-window', 'recv-window-conn'],
];

/** Fields of a client that changes its port. */
export const hopping = {
  /** `port` is the first of them. */
  ports: portRanges.optional(),
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
      error: because('own-port-first'),
      path: ['ports'],
    })
    .refine((proxy) => proxy.ports !== undefined || proxy['hop-interval'] === undefined, {
      error: because('several-ports'),
      path: ['hop-interval'],
    });
}

/** Parses ports such as `443,5000-6000`, and reports invalid ones. */
function parsePorts(fields: Fields, key: string, text: string): [number, number][] | undefined {
  const ranges = text.split(/[,/]/).map((part): [number, number] => {
    const [, first = '', last = first] = /^\s*(\d{1,5})(?:[-:](\d{1,5}))?\s*$/.exec(part) ?? [];
    return [Number(first), Number(last)];
  });
  if (portRanges.safeParse(ranges).success) return ranges;
  return fields.problem(key, 'no-ports');
}

/** Reads the seconds between changes of the port. Of a range, the first number is used. */
function hopInterval(fields: Fields): number | undefined {
  const text = fields.text('hop-interval');
  if (text === undefined) return undefined;
  const digits = /^(\d{1,6})(?:\s*-\s*\d{1,6})?s?$/.exec(text.trim())?.[1];
  const seconds = digits === undefined ? Number.NaN : Math.max(5, Number(digits));
  return fields.check('hop-interval', interval, seconds);
}

/** The ports of a client that changes its port. */
export const ports: Part<Hopping> = {
  clash: {
    read: (fields) => {
      const [list, mport] = ['ports', 'mport'].map((key) => {
        const text = fields.text(key);
        return text === undefined ? undefined : parsePorts(fields, key, text);
      });
      if (list && mport && String(list) !== String(mport)) fields.flaw('mport', 'differs ports');
      const used = list ?? mport;
      const seconds = hopInterval(fields);
      return used ? { ports: used, port: used[0]?.[0], 'hop-interval': seconds } : {};
    },
    write: (proxy) => ({
      ports: proxy.ports
        ?.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`))
        .join(','),
      'hop-interval': proxy['hop-interval'],
    }),
  },
  singBox: {
    read: (fields) => {
      // `:443` and `443:` have open ends.
      const ranges = fields
        .texts('server_ports')
        ?.map((range) => range.replace(/^:/, '1:').replace(/:$/, ':65535').replace(':', '-'));
      const list = ranges && parsePorts(fields, 'server_ports', ranges.join(','));
      const seconds = readSeconds(fields, 'hop_interval', interval);
      return { ports: list, ...(list ? { port: list[0]?.[0] } : {}), 'hop-interval': seconds };
    },
    write: ({ ports, 'hop-interval': seconds }) => ({
      // sing-box accepts one of the two.
      ...(ports ? { server_port: undefined } : {}),
      server_ports: ports?.map(([first, last]) => `${first}:${last}`),
      hop_interval: seconds && `${seconds}s`,
    }),
  },
};

/** Returns the field of a speed. @param isFirst whether the protocol is version 1 of Hysteria */
export function speed<Name extends 'up' | 'down'>(
  name: Name,
  isFirst = false,
): Part<{ readonly [Each in Name]?: number | undefined }> {
  return {
    clash: {
      read: (fields) => {
        const key = isFirst && !fields.has(name) ? `${name}-speed` : name;
        return { [name]: clashSpeed(fields, key) };
      },
      write: (proxy) => ({ [name]: proxy[name] && `${proxy[name]} Mbps` }),
    },
    singBox: {
      read: (fields) => {
        const number = fields.number(`${name}_mbps`, speedOrNone) || undefined;
        const text = isFirst ? fields.text(name) : undefined;
        if (number || text === undefined) return { [name]: number };
        const digits = /^(\d{1,6})\s*mbps$/i.exec(text)?.[1] ?? Number.NaN;
        return { [name]: fields.check(name, speedOrNone, Number(digits)) };
      },
      write: (proxy) => ({ [`${name}_mbps`]: proxy[name] }),
    },
  };
}

/** Reads a number, or a text such as `30 Mbps`. */
function clashSpeed(fields: Fields, key: string): number | undefined {
  const text = fields.text(key);
  if (text === undefined || /^0+$/.test(text)) return undefined;
  const [, digits = '', unit = ''] =
    /^(\d{1,9})(?:\.\d+)?\s*([kmg]?)(?:b(?:it)?\/?p?s)?$/i.exec(text.trim()) ?? [];
  const factor = { k: 0.001, g: 1000 }[unit.toLowerCase()] ?? 1;
  const mbits = digits === '' ? Number.NaN : Math.round(Number(digits) * factor);
  return fields.check(key, speedSchema, mbits);
}

/** TLS of QUIC, over which UDP is always forwarded. */
export const quicTls = tlsPart(
  (fields) => {
    fields.ignore(tuning);
    fields.refuse(['ca', 'ca-str']);
    fields.ignore('udp', [true, 'true', false, 'false']);
    fields.ignore('tls', [true, 'true']);
    clashTls.refuseOthers(fields);
    return {
      'server-name': sentNameOf(fields, 'sni'),
      insecure: fields.flag('skip-cert-verify') ?? false,
      alpn: alpnOf(fields, 'alpn', fields.texts('alpn')),
    };
  },
  (fields) => {
    fields.ignore('network', ['tcp', 'udp']);
    const { fingerprint, reality, ...tls } = singBoxTls.readRequired(fields);
    if (fingerprint || reality) fields.problem('tls', 'utls-with-quic');
    return tls;
  },
);

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

/** Reads the address with its ports, such as `443,5000-6000`, the speeds and TLS of a link. */
export function readLinkQuic(link: Link) {
  const { fields, port } = link;
  const many = /[,-]/.test(port) ? port : fields.text('mport');
  const list = many === undefined ? undefined : parsePorts(fields, 'port', many);
  const first = String(list?.[0]?.[0] ?? '');
  return {
    ...addressOf(many === undefined ? link : { ...link, port: first }, 443),
    ports: list,
    'hop-interval': list && hopInterval(fields),
    up: linkSpeed(fields, 'up'),
    down: linkSpeed(fields, 'down'),
    tls: readLinkQuicTls(link),
  };
}

/** The name of the parameter can have the unit. */
function linkSpeed(fields: Fields, name: 'up' | 'down'): number | undefined {
  const key = fields.has(name) ? name : `${name}mbps`;
  const text = fields.text(key)?.replaceAll('+', ' ').trim();
  const digits = /^(\d{1,6})(?:\.\d+)?\s*(?:mbps)?$/i.exec(text ?? '')?.[1];
  if (text !== undefined && digits === undefined) return fields.flaw(key, 'no-speed');
  return (digits && fields.check(key, speedOrNone, Number(digits))) || undefined;
}

/** Reads TLS of QUIC of a link. */
export function readLinkQuicTls({ fields }: Link) {
  fields.ignore('tls', linkTlsOn);
  fields.ignore('security', ['tls']);
  const tls = { 'server-name': linkServerName(fields), insecure: insecureOf(fields) };
  return { ...tls, alpn: alpnOf(fields, 'alpn', fields.text('alpn')?.split(',')) };
}
