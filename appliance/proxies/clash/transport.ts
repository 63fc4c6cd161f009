import {
  alpnOf,
  compact,
  type Draft,
  fingerprintOf,
  plainHost,
  sentNameOf,
  splitPath,
} from '../model/draft.ts';
import { sentNameSchema, serviceSchema, wholeNumber } from '../model/text.ts';
import { fingerprints } from '../model/transport.ts';
import type { Fields } from '../source/fields.ts';

const networks = ['tcp', 'ws', 'http', 'h2', 'grpc'] as const;
const options = ['ws-opts', 'http-opts', 'h2-opts', 'grpc-opts'];
const earlyData = wholeNumber(0, 65_535);

/** Reads `network` and its options. Options of other networks have no effect. */
export function clashTransport(fields: Fields): Draft | undefined {
  const given = fields.text('network');
  const plain = given === 'raw' || given === 'none' ? 'tcp' : given;
  const network = fields.choice('network', networks, plain) ?? 'tcp';
  const own = `${network}-opts`;
  fields.leaveOut(
    options.filter((key) => key !== own),
    `has no effect with network ${network}`,
  );
  if (network === 'tcp') return undefined;
  const inner = fields.section(own);
  const read = { ws: webSocket, http, h2, grpc }[network];
  const transport = read(inner, fields);
  inner?.end();
  return transport;
}

function webSocket(inner: Fields | undefined, fields: Fields): Draft {
  const { path, early } = splitPath(either(fields, inner?.text('path'), fields.text('ws-path')));
  const oldHost = hostHeader(fields.section('ws-headers'));
  const host = either(fields, hostHeader(inner?.section('headers')), oldHost);
  const given = inner?.number('max-early-data', earlyData) || undefined;
  const header = inner?.text('early-data-header-name');
  inner?.ignore('v2ray-http-upgrade-fast-open');
  if (inner?.flag('v2ray-http-upgrade')) return compact({ type: 'httpupgrade', path, host });
  return compact({
    ...{ type: 'ws', path, host, 'max-early-data': given ?? early },
    'early-data-header': header ?? (early === undefined ? undefined : 'Sec-WebSocket-Protocol'),
  });
}

/** Returns a value that is in `ws-opts`, in the older `ws-path` or `ws-headers`, or in both. */
function either(fields: Fields, now: string | undefined, old: string | undefined) {
  if (now !== undefined && old !== undefined && now !== old) {
    fields.flaw('ws-opts', 'differs from ws-path or ws-headers');
  }
  return now ?? old;
}

function http(inner: Fields | undefined): Draft {
  const paths = inner?.texts('path') ?? [];
  if (paths.length > 1) inner?.flaw('path', 'must be one path');
  const headers = inner?.section('headers');
  const hosts = headers?.texts(hostKey(headers)) ?? [];
  if (headers?.texts('Connection')?.some((value) => value !== 'keep-alive')) {
    headers.flaw('Connection', 'must be keep-alive');
  }
  headers?.end();
  const method = inner?.text('method')?.toUpperCase() ?? 'GET';
  const { path } = splitPath(paths[0]);
  return { type: 'http', method, path, hosts: hosts.map(plainHost).filter(Boolean).slice(0, 16) };
}

function h2(inner: Fields | undefined): Draft {
  const hosts = (inner?.texts('host') ?? []).map(plainHost).filter(Boolean).slice(0, 16);
  return { type: 'h2', path: splitPath(inner?.text('path')).path, hosts };
}

function grpc(inner: Fields | undefined): Draft {
  for (const key of ['grpc-user-agent', 'ping-interval', 'max-connections']) inner?.ignore(key);
  for (const key of ['min-streams', 'max-streams']) inner?.ignore(key);
  return {
    type: 'grpc',
    service: inner?.valid('grpc-service-name', serviceSchema) ?? 'GunService',
  };
}

function hostHeader(headers: Fields | undefined): string | undefined {
  if (headers === undefined) return undefined;
  const host = sentNameOf(headers, hostKey(headers));
  headers.end();
  return host;
}

/** Returns the key of the header Host in its capitalization. */
export function hostKey(headers: Fields): string {
  return headers.keys().find((key) => key.toLowerCase() === 'host') ?? 'Host';
}

/** Reads the fields of TLS; `sni` or `servername` is the key of the server name. */
export function clashTls(fields: Fields, nameKey: string): Draft {
  const reality = fields.section('reality-opts');
  const publicKey = reality?.text('public-key')?.replace(/=+$/, '');
  const draft = compact({
    'server-name': sentNameOf(fields, nameKey),
    insecure: fields.flag('skip-cert-verify') ?? false,
    alpn: alpnOf(fields, 'alpn', fields.texts('alpn')),
    fingerprint: fingerprintOf(fields, 'client-fingerprint'),
    reality:
      publicKey &&
      compact({
        'public-key': publicKey,
        'short-id': reality?.text('short-id')?.toLowerCase(),
      }),
  });
  reality?.ignore('support-x25519mlkem768');
  reality?.end();
  refuseTls(fields);
  return draft;
}

/** Reports options of TLS that sing-box does not have in the same meaning. */
export function refuseTls(fields: Fields): void {
  // Some programs write the name of a client here. Everything else pins a certificate.
  fields.refuse('fingerprint', fingerprints);
  for (const key of ['certificate', 'private-key']) fields.refuse(key);
  fields.ignore('ech-opts');
}

/** Reads a host that has a default. */
export function hostOr(fields: Fields | undefined, key: string, usual: string): string {
  const text = fields?.text(key);
  return (
    (text === undefined ? undefined : fields?.check(key, sentNameSchema, plainHost(text))) ?? usual
  );
}
