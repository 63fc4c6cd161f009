import { compact, type Draft, hostOf, plainHost, splitPath } from '../model/draft.ts';
import { hostSchema, serviceSchema, wholeNumber } from '../model/text.ts';
import { alpnSchema, fingerprints } from '../model/transport.ts';
import type { Fields } from '../source/fields.ts';

const networks = ['tcp', 'ws', 'http', 'h2', 'grpc'] as const;
const options = ['ws-opts', 'http-opts', 'h2-opts', 'grpc-opts'];
const earlyData = wholeNumber(0, 65_535);

/** Reads `network` and its options. Options of other networks have no effect. */
export function clashTransport(fields: Fields): Draft | undefined {
  const network = fields.choice('network', networks) ?? 'tcp';
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
  inner?.refuse('v2ray-http-upgrade-fast-open');
  if (inner?.flag('v2ray-http-upgrade')) return compact({ type: 'httpupgrade', path, host });
  return compact({
    ...{ type: 'ws', path, host, 'max-early-data': given ?? early },
    'early-data-header': header ?? (early === undefined ? undefined : 'Sec-WebSocket-Protocol'),
  });
}

/** Returns a value that is in `ws-opts`, in the older `ws-path` or `ws-headers`, or in both. */
function either(fields: Fields, now: string | undefined, old: string | undefined) {
  if (now !== undefined && old !== undefined && now !== old) {
    fields.problem('ws-opts', 'differs from ws-path or ws-headers');
  }
  return now ?? old;
}

function http(inner: Fields | undefined): Draft {
  const paths = inner?.texts('path') ?? [];
  if (paths.length > 1) inner?.problem('path', 'must be one path');
  const headers = inner?.section('headers');
  const hosts = headers?.texts(hostKey(headers)) ?? [];
  if (headers?.texts('Connection')?.some((value) => value !== 'keep-alive')) {
    headers.problem('Connection', 'must be keep-alive');
  }
  headers?.end();
  const method = inner?.text('method') ?? 'GET';
  return { type: 'http', method, path: paths[0] ?? '/', hosts: hosts.map(plainHost) };
}

function h2(inner: Fields | undefined): Draft {
  const hosts = (inner?.texts('host') ?? []).map(plainHost);
  return { type: 'h2', path: inner?.text('path') ?? '/', hosts };
}

function grpc(inner: Fields | undefined): Draft {
  for (const key of ['grpc-user-agent', 'ping-interval', 'max-connections']) inner?.refuse(key);
  for (const key of ['min-streams', 'max-streams']) inner?.refuse(key);
  return {
    type: 'grpc',
    service: inner?.valid('grpc-service-name', serviceSchema) ?? 'GunService',
  };
}

function hostHeader(headers: Fields | undefined): string | undefined {
  if (headers === undefined) return undefined;
  const host = hostOf(headers, hostKey(headers));
  headers.end();
  return host;
}

function hostKey(headers: Fields): string {
  return headers.has('host') ? 'host' : 'Host';
}

/** Reads the fields of TLS; `sni` or `servername` is the key of the server name. */
export function clashTls(fields: Fields, nameKey: string): Draft {
  const reality = fields.section('reality-opts');
  const draft = compact({
    'server-name': hostOf(fields, nameKey),
    insecure: fields.flag('skip-cert-verify') ?? false,
    alpn: clashAlpn(fields),
    fingerprint: fields.choice('client-fingerprint', fingerprints),
    reality:
      reality &&
      compact({
        'public-key': reality.text('public-key')?.replace(/=+$/, ''),
        'short-id': reality.text('short-id')?.toLowerCase(),
      }),
  });
  reality?.refuse('support-x25519mlkem768');
  reality?.end();
  refuseTls(fields);
  return draft;
}

/** Reads the list of protocols. */
export function clashAlpn(fields: Fields): string[] | undefined {
  const alpn = fields.texts('alpn')?.map((name) => fields.check('alpn', alpnSchema, name));
  return alpn?.length ? alpn.filter((name) => name !== undefined) : undefined;
}

/** Reports options of TLS that sing-box does not have in the same meaning. */
export function refuseTls(fields: Fields): void {
  for (const key of ['fingerprint', 'certificate', 'private-key', 'ech-opts']) fields.refuse(key);
}

/** Reads a host that has a default. */
export function hostOr(fields: Fields | undefined, key: string, usual: string): string {
  const text = fields?.text(key);
  return (
    (text === undefined ? undefined : fields?.check(key, hostSchema, plainHost(text))) ?? usual
  );
}
