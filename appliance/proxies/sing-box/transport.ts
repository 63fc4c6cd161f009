import { compact, type Draft, hostOf, plainHost } from '../model/draft.ts';
import { hostSchema, serviceSchema, wholeNumber } from '../model/text.ts';
import { alpnSchema, fingerprints } from '../model/transport.ts';
import type { Fields } from '../source/fields.ts';

const tlsOptions = [
  ...['disable_sni', 'min_version', 'max_version', 'cipher_suites', 'curve_preferences'],
  ...['certificate', 'certificate_path', 'certificate_public_key_sha256', 'client_certificate'],
  ...['client_certificate_path', 'client_key', 'client_key_path', 'fragment', 'record_fragment'],
  ...['fragment_fallback_delay', 'ech', 'kernel_tx', 'kernel_rx'],
];

/** Reads `tls`; undefined if it is off. */
export function singBoxTls(fields: Fields): Draft | undefined {
  const tls = fields.section('tls');
  if (tls === undefined) return undefined;
  const isOn = tls.flag('enabled') ?? false;
  const alpn = tls.texts('alpn')?.map((name) => tls.check('alpn', alpnSchema, name));
  const draft = compact({
    'server-name': hostOf(tls, 'server_name'),
    insecure: tls.flag('insecure') ?? false,
    alpn: alpn?.length ? alpn.filter((name) => name !== undefined) : undefined,
    fingerprint: fingerprint(tls),
    reality: reality(tls),
  });
  for (const key of tlsOptions) tls.refuse(key);
  tls.end();
  return isOn ? draft : undefined;
}

function fingerprint(tls: Fields): string | undefined {
  const utls = tls.section('utls');
  const isOn = utls?.flag('enabled') ?? false;
  const given = utls?.choice('fingerprint', fingerprints) ?? 'chrome';
  utls?.end();
  return isOn ? given : undefined;
}

function reality(tls: Fields): Draft | undefined {
  const inner = tls.section('reality');
  const isOn = inner?.flag('enabled') ?? false;
  const draft = compact({
    'public-key': inner?.text('public_key')?.replace(/=+$/, ''),
    'short-id': inner?.text('short_id')?.toLowerCase(),
  });
  inner?.end();
  return isOn ? draft : undefined;
}

const types = ['http', 'ws', 'grpc', 'httpupgrade'] as const;

/** Reads `transport`. With TLS, `http` is HTTP/2. */
export function singBoxTransport(fields: Fields, hasTls: boolean): Draft | undefined {
  const transport = fields.section('transport');
  if (transport === undefined) return undefined;
  const type = transport.choice('type', types);
  if (type === undefined)
    return transport.has('type') ? undefined : transport.problem('type', 'is missing');
  const read = { http: () => http(transport, hasTls), ws, grpc, httpupgrade }[type](transport);
  transport.end();
  return read;
}

function http(transport: Fields, hasTls: boolean): Draft {
  transport.refuse('headers');
  transport.leaveOut(['idle_timeout', 'ping_timeout']);
  const hosts = (transport.texts('host') ?? []).map(plainHost);
  const path = transport.text('path') ?? '/';
  const method = transport.text('method');
  if (!hasTls) return { type: 'http', method: method ?? 'GET', path, hosts };
  if (method && method !== 'PUT') transport.problem('method', 'must be PUT with TLS');
  return { type: 'h2', path, hosts };
}

function ws(transport: Fields): Draft {
  return compact({
    type: 'ws',
    path: transport.text('path') ?? '/',
    host: hostHeader(transport),
    'max-early-data': transport.number('max_early_data', wholeNumber(0, 65_535)) || undefined,
    'early-data-header': transport.text('early_data_header_name'),
  });
}

function httpupgrade(transport: Fields): Draft {
  const host = hostOf(transport, 'host') ?? hostHeader(transport);
  return compact({ type: 'httpupgrade', path: transport.text('path') ?? '/', host });
}

function grpc(transport: Fields): Draft {
  transport.leaveOut(['idle_timeout', 'ping_timeout', 'permit_without_stream']);
  return { type: 'grpc', service: transport.valid('service_name', serviceSchema) ?? 'GunService' };
}

/** Reads the header Host, which can be a list of one. */
function hostHeader(transport: Fields): string | undefined {
  const headers = transport.section('headers');
  if (headers === undefined) return undefined;
  const key = headers.has('host') ? 'host' : 'Host';
  const [host, ...more] = headers.texts(key) ?? [];
  if (more.length > 0) headers.problem(key, 'must be one host');
  headers.end();
  return host === undefined ? undefined : headers.check(key, hostSchema, plainHost(host));
}
