import { createHash } from 'node:crypto';
import { z } from 'zod';
import { plainHost, secretSchema, sentNameSchema, splitPath } from '../model/text.ts';
import type { Fields } from '../source/fields.ts';
import { flagOf, type Link, secretOf } from './link.ts';
import { field, type Part, udpField } from './protocol.ts';
import { clashTls, readLinkTls, singBoxTls, tlsSchema } from './tls.ts';
import {
  clashTransport,
  earlyDataHeader,
  maxEarlyData,
  serviceOf,
  singBoxTransport,
  type TransportValues,
  transportSchema,
} from './transport.ts';

/** What VMess, VLESS and Trojan share: users, and streams of TLS and a transport. */

const encodings = ['xudp', 'packetaddr'] as const;
const encodingKeys = { clash: 'packet-encoding', singBox: 'packet_encoding' };

/** The stream of VMess and VLESS. */
export const stream = {
  udp: z.boolean(),
  'packet-encoding': z.enum(encodings).optional(),
  tls: tlsSchema.optional(),
  transport: transportSchema.optional(),
};

const streamSchema = z.object(stream);
type Stream = Pick<z.infer<typeof streamSchema>, 'tls' | 'transport'>;

const singBoxSide: Part<Stream>['singBox'] = {
  read: (fields) => {
    const tls = singBoxTls.read(fields);
    return { tls, transport: singBoxTransport.read(fields, tls !== undefined) };
  },
  write: ({ tls, transport }) => ({
    tls: tls && singBoxTls.write(tls),
    transport: transport && singBoxTransport.write(transport),
  }),
};

/** TLS and the transport of Trojan. */
export const tlsStream: Part<Stream> = {
  clash: {
    read: (fields) => {
      const transport = clashTransport.read(fields);
      fields.ignore('tls', [true, 'true']);
      return { tls: clashTls.read(fields, 'sni'), transport };
    },
    write: ({ tls, transport }) => ({
      ...(tls && clashTls.write(tls)),
      ...clashTransport.write(transport),
    }),
  },
  singBox: singBoxSide,
};

/** UDP, the encoding of packets, TLS if it is on, and the transport of VMess and VLESS. */
export const anyStream: readonly Part<z.infer<typeof streamSchema>>[] = [
  udpField,
  field('packet-encoding', encodingKeys, (fields, key) => fields.choice(key, encodings), {
    read: (fields) => ({ 'packet-encoding': clashEncoding(fields) }),
  }),
  {
    clash: {
      read: (fields) => {
        const transport = clashTransport.read(fields);
        const nameKey = fields.has('sni') && !fields.has('servername') ? 'sni' : 'servername';
        const tls = clashTls.read(fields, nameKey);
        const isSecure = fields.flag('tls') || tls.reality || transport?.type === 'h2';
        return { tls: isSecure ? tls : undefined, transport };
      },
      write: ({ tls, transport }) => ({
        ...(tls && { tls: true, ...clashTls.write(tls, 'servername') }),
        ...clashTransport.write(transport),
      }),
    },
    singBox: singBoxSide,
  },
];

function clashEncoding(fields: Fields): string | undefined {
  const text = fields.text('packet-encoding');
  const name = text === 'packet' ? 'packetaddr' : text;
  const encoding = fields.choice('packet-encoding', encodings, name);
  const [xudp, packet] = [fields.flag('xudp'), fields.flag('packet-addr')];
  return encoding ?? (packet ? 'packetaddr' : xudp ? 'xudp' : undefined);
}

/** Reads the parameters of transport and TLS of a link. */
export function readLinkStream({ fields }: Link, defaultSecurity: 'none' | 'tls') {
  const transport = readLinkTransport(fields, linkKeys);
  // Shadowrocket writes tls=1.
  const flag = fields.choice('tls', ['1', '0', 'true', 'false', 'tls', 'none']);
  const named = fields.choice('security', ['none', 'tls', 'reality']);
  const security = named ?? (flag && /^(?:1|true|tls)$/.test(flag) ? 'tls' : defaultSecurity);
  const tls = readLinkTls(fields, security === 'reality');
  const isSecure = security !== 'none' || transport?.type === 'h2';
  const encoding = fields.choice('packetEncoding', [...encodings, 'none']);
  return {
    tls: isSecure ? tls : undefined,
    transport,
    // Trojan has none.
    ...(encoding && encoding !== 'none' ? { 'packet-encoding': encoding } : {}),
  };
}

/** Names of parameters, which differ between links and the JSON of v2rayN. */
interface Keys {
  readonly type: string;
  readonly service: string;
  readonly header: string;
}

const linkKeys: Keys = { type: 'type', service: 'serviceName', header: 'headerType' };
const linkTypes = ['tcp', 'raw', 'ws', 'grpc', 'http', 'h2', 'httpupgrade'] as const;

/** Reads the transport. `type` of grpc and tcp is in another parameter in the JSON of v2rayN. */
export function readLinkTransport(fields: Fields, keys: Keys): TransportValues | undefined {
  // trojan-go and other programs write ws=1 and wspath.
  const isWs = fields.raw(keys.type) === undefined && flagOf(fields, 'ws') === true;
  const text = fields.text(keys.type)?.trim().toLowerCase();
  const named = fields.choice(keys.type, linkTypes, text === 'none' ? 'tcp' : text);
  const type = named ?? (isWs ? 'ws' : 'tcp');
  const header = fields.text(keys.header) ?? 'none';
  const mode = fields.text('mode');
  const { path, early } = splitPath(fields.text(isWs ? 'wspath' : 'path'));
  const hosts = (fields.text('host') ?? '')
    .split(',')
    .map((host) => plainHost(host.trim()))
    .filter(Boolean);
  const [host] = hosts.map((each) => fields.check('host', sentNameSchema, each));
  fields.ignore('authority');
  fields.refuse('quicSecurity', ['none']);
  if (type === 'grpc') {
    const service = serviceOf(fields, keys.service);
    const other = [mode, header].find((each) => each !== undefined && !/^(?:gun|none)$/.test(each));
    // Servers accept both modes at once; the client chooses.
    if (other === 'multi')
      fields.report.note(fields.position, { at: 'mode', reason: 'multi-as-gun' });
    else if (other !== undefined) fields.flaw('mode', 'unknown-value', 'allowed gun, multi');
    return { type, service };
  }
  fields.ignore(keys.service, [fields.raw('path')]);
  const isTcp = type === 'tcp' || type === 'raw';
  const isHttp = isTcp && header === 'http';
  if (header !== 'none' && !isHttp) {
    // A header changes what is sent over TCP only.
    fields[isTcp && header !== 'tcp' ? 'problem' : 'flaw'](
      keys.header,
      'unknown-value',
      'allowed none; http for tcp',
    );
  }
  if (isHttp) return { type: 'http', method: 'GET', path, hosts };
  if (type === 'http' || type === 'h2') return { type: 'h2', path, hosts };
  if (type === 'httpupgrade') return { type, path, host };
  if (type !== 'ws') return undefined;
  const size = early ?? (fields.number('ed', maxEarlyData) || undefined);
  const name = fields.text('eh') ?? (size === undefined ? undefined : earlyDataHeader);
  return { type, path, host, 'max-early-data': size, 'early-data-header': name };
}

/** Reads the identifier of a user in a field. Clients accept any text, and convert it. */
export function userOf(fields: Fields, key: string): string | undefined {
  return checkedUser(fields, key, fields.valid(key, secretSchema)?.trim());
}

/** The identifier of the user. */
export const userField = field('uuid', 'uuid', userOf);

/** Reads the identifier of the user of a link. */
export function userOfLink(link: Link): string | undefined {
  const text = secretOf(link, 'UUID')?.trim();
  return checkedUser(link.fields, 'UUID', link.fields.check('UUID', secretSchema, text));
}

function checkedUser(fields: Fields, key: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const uuid = uuidOf(text);
  if (uuid.replaceAll('-', '') !== text.replaceAll('-', '').toLowerCase()) {
    fields.flaw(key, 'uuid-converted');
  }
  return uuid;
}

/**
 * Returns the identifier of a user. Text that is no UUID becomes one, as in Xray, sing-box and mihomo:
 * version 5 of RFC 9562 with a namespace of zeros.
 */
export function uuidOf(text: string): string {
  const plain = /^(?:urn:uuid:)?\{?([0-9a-f-]+)\}?$/i.exec(text)?.[1]?.replaceAll('-', '') ?? '';
  const digits = /^[0-9a-f]{32}$/i.test(plain) ? plain.toLowerCase() : hashed(text);
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function hashed(text: string): string {
  const hash = createHash('sha1').update(Buffer.alloc(16)).update(text).digest();
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  return hash.toString('hex', 0, 16);
}
