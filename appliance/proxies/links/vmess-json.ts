import { vmessCipherOf, vmessCiphers } from '../model/ciphers.ts';
import { compact, type Draft, hostOf, namedTls, usableName, userOf } from '../model/draft.ts';
import { portSchema, wholeNumber } from '../model/text.ts';
import { Fields, isMap } from '../source/fields.ts';
import type { Report } from '../source/report.ts';
import type { Position } from '../source/source.ts';
import { flagOf } from './parse-link.ts';
import { insecureOf, linkTls, linkTransport } from './stream.ts';

/** The fields of a link of v2rayN: `vmess://` and JSON in base64. */
export function vmessJsonFields(
  json: string,
  position: Position,
  report: Report,
): Fields | undefined {
  const values = parseObject(json);
  if (values) return new Fields(report, { value: values, positionOf: () => position }, [], values);
  report.problem(
    position,
    'the link is not JSON in base64',
    'Use a link of v2rayN, or vmess://uuid@host:port.',
  );
  return undefined;
}

/** Reads the JSON of v2rayN. */
export function readVmessJson(fields: Fields): Draft {
  // Version 1 has other fields, but no program writes it any more.
  fields.ignore('v', [2, '2']);
  const server = hostOf(fields, 'add');
  const port = fields.number('port', portSchema);
  if (server === undefined && !fields.has('add')) fields.problem('add', 'is missing');
  // For grpc, `path` is the name of the service, and `type` its mode.
  const isGrpc = fields.raw('net') === 'grpc';
  const keys = { type: 'net', service: isGrpc ? 'path' : 'serviceName', header: 'type' };
  const transport = linkTransport(fields, keys);
  const given = fields.raw('tls');
  fields.has('tls');
  // Some programs write a boolean.
  const flag = typeof given === 'boolean' ? (given ? 'tls' : 'none') : undefined;
  const security =
    fields.choice('tls', ['none', 'tls', 'reality'], flag ?? fields.text('tls')) ?? 'none';
  const tls = { ...linkTls(fields, security === 'reality'), insecure: isInsecure(fields) };
  const isSecure = security !== 'none' || transport?.type === 'h2';
  fields.leaveOut(['class', 'level', 'remark', 'group']);
  return compact({
    name: usableName(fields.text('ps') ?? '') || `${server}:${port}`,
    server,
    port,
    type: 'vmess',
    uuid: userOf(fields, 'id'),
    alterId: fields.number('aid', wholeNumber(0, 65_535)) ?? 0,
    cipher: fields.choice('scy', vmessCiphers, vmessCipherOf(fields.text('scy'))) ?? 'auto',
    udp: true,
    tls: isSecure ? namedTls(tls, server, transport) : undefined,
    transport,
  });
}

/** Reads the flags that programs and panels use to turn off the check of certificates. */
function isInsecure(fields: Fields): boolean {
  return insecureOf(fields) || flagOf(fields, 'verify_cert') === false;
}

function parseObject(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isMap(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
