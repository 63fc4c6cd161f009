import { z } from 'zod';
import { parseJson } from '#contract/text/json.ts';
import { portSchema, usableName, uuidSchema, wholeNumber } from '../model/text.ts';
import { Fields, isMap } from '../source/fields.ts';
import type { Position, Report } from '../source/report.ts';
import { addressOf, flagOf } from './link.ts';
import { common, field, hostOf, type Protocol } from './protocol.ts';
import { insecureOf, readLinkTls } from './tls.ts';
import {
  anyStream,
  readLinkStream,
  readLinkTransport,
  stream,
  userField,
  userOf,
  userOfLink,
} from './v2ray.ts';

/** Methods of VMess. */
export const vmessCiphers = ['auto', 'aes-128-gcm', 'chacha20-poly1305', 'none', 'zero'] as const;

const alterId = wholeNumber(0, 65_535);

const schema = z.strictObject({
  type: z.literal('vmess'),
  ...common,
  uuid: uuidSchema,
  alterId,
  cipher: z.enum(vmessCiphers),
  ...stream,
});

/** Reads the method; programs also write those of Shadowsocks. */
function cipherOf(fields: Fields, key: string): string {
  const name = fields.text(key)?.trim().toLowerCase();
  const plain = name === 'chacha20-ietf-poly1305' ? 'chacha20-poly1305' : name;
  return fields.choice(key, vmessCiphers, plain) ?? 'auto';
}

const cipherKeys = { clash: 'cipher', singBox: 'security' };
const alterIdField = field(
  'alterId',
  { clash: 'alterId', singBox: 'alter_id' },
  (fields, key) => fields.number(key, alterId) ?? 0,
);

/** VMess. */
export const vmess = {
  schema,
  singBoxType: 'vmess',
  parts: [userField, alterIdField, field('cipher', cipherKeys, cipherOf), ...anyStream],
  others: {
    clash: (fields) => fields.refuse(['global-padding', 'authenticated-length']),
    singBox: (fields) => fields.refuse(['global_padding', 'authenticated_length']),
  },
  links: {
    /** A link with the user before the host. */
    vmess: (link) => {
      const { fields } = link;
      const aid = fields.has('aid') ? 'aid' : 'alterId';
      return {
        ...addressOf(link, 443),
        uuid: userOfLink(link),
        alterId: fields.number(aid, alterId) ?? 0,
        cipher: cipherOf(fields, 'encryption'),
        udp: true,
        ...readLinkStream(link, 'none'),
      };
    },
  },
} satisfies Protocol<z.infer<typeof schema>>;

/** The fields of a link of v2rayN: `vmess://` and JSON in base64. */
export function vmessJsonFields(
  json: string,
  position: Position,
  report: Report,
): Fields | undefined {
  const value = parseJson(json);
  if (isMap(value)) return new Fields(report, { value, positionOf: () => position }, [], value);
  report.problem(position, 'link-json', 'v2rayn-link');
  return undefined;
}

/** Reads the JSON of v2rayN. */
export function readVmessJson(fields: Fields) {
  // Version 1 has other fields, but no program writes it any more.
  fields.ignore('v', [2, '2']);
  const server = hostOf(fields, 'add');
  const port = fields.number('port', portSchema);
  if (server === undefined && !fields.has('add')) fields.problem('add', 'missing');
  // For grpc, `path` is the name of the service, and `type` its mode.
  const isGrpc = fields.raw('net') === 'grpc';
  const keys = { type: 'net', service: isGrpc ? 'path' : 'serviceName', header: 'type' };
  const transport = readLinkTransport(fields, keys);
  const secure = fields.raw('tls');
  fields.has('tls');
  // Some programs write a boolean.
  const flag = typeof secure === 'boolean' ? (secure ? 'tls' : 'none') : undefined;
  const security =
    fields.choice('tls', ['none', 'tls', 'reality'], flag ?? fields.text('tls')) ?? 'none';
  const tls = { ...readLinkTls(fields, security === 'reality'), insecure: isInsecure(fields) };
  const isSecure = security !== 'none' || transport?.type === 'h2';
  fields.leaveOut(['class', 'level', 'remark', 'group']);
  return {
    name: usableName(fields.text('ps') ?? '') || `${server}:${port}`,
    server,
    port,
    uuid: userOf(fields, 'id'),
    alterId: fields.number('aid', alterId) ?? 0,
    cipher: cipherOf(fields, 'scy'),
    udp: true,
    tls: isSecure ? tls : undefined,
    transport,
  };
}

/** Reads the flags that programs and panels use to turn off the check of certificates. */
function isInsecure(fields: Fields): boolean {
  return insecureOf(fields) || flagOf(fields, 'verify_cert') === false;
}
