import { hostKey } from '../clash/transport.ts';
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
import { type Fields, isMap } from '../source/fields.ts';

/** Options that change how the server is verified, or what others see. */
const refusedOptions = [
  ...['disable_sni', 'certificate', 'certificate_path', 'certificate_public_key_sha256'],
  ...['client_certificate', 'client_certificate_path', 'client_key', 'client_key_path'],
];
const ignoredOptions = [
  ...['min_version', 'max_version', 'cipher_suites', 'curve_preferences', 'fragment'],
  ...['record_fragment', 'fragment_fallback_delay', 'kernel_tx', 'kernel_rx'],
];

/** Reads `tls`; undefined if it is off. */
export function singBoxTls(fields: Fields): Draft | undefined {
  const tls = fields.section('tls');
  if (tls === undefined) return undefined;
  const isOn = tls.flag('enabled') ?? false;
  const draft = compact({
    'server-name': sentNameOf(tls, 'server_name'),
    insecure: tls.flag('insecure') ?? false,
    alpn: alpnOf(tls, 'alpn', tls.texts('alpn')),
    fingerprint: fingerprint(tls),
    reality: reality(tls),
  });
  if (isOn) for (const key of refusedOptions) tls.refuse(key);
  for (const key of ignoredOptions) tls.ignore(key);
  const ech = tls.raw('ech');
  tls.ignore('ech', isMap(ech) && ech.enabled === true ? [] : [ech]);
  tls.end();
  return isOn ? draft : undefined;
}

function fingerprint(tls: Fields): string | undefined {
  const utls = tls.section('utls');
  const isOn = utls?.flag('enabled') ?? false;
  const given = (utls && fingerprintOf(utls, 'fingerprint')) ?? 'chrome';
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
  transport.ignore('headers');
  transport.leaveOut(['idle_timeout', 'ping_timeout']);
  const hosts = (transport.texts('host') ?? []).map(plainHost).filter(Boolean).slice(0, 16);
  const { path } = splitPath(transport.text('path'));
  const method = transport.text('method')?.toUpperCase();
  if (!hasTls) return { type: 'http', method: method ?? 'GET', path, hosts };
  if (method && method !== 'PUT') transport.flaw('method', 'must be PUT with TLS');
  return { type: 'h2', path, hosts };
}

function ws(transport: Fields): Draft {
  const { path, early } = splitPath(transport.text('path'));
  const given = transport.number('max_early_data', wholeNumber(0, 65_535)) || undefined;
  const header = transport.text('early_data_header_name');
  const isInPath = given === undefined && early !== undefined;
  return compact({
    type: 'ws',
    path,
    host: hostHeader(transport),
    'max-early-data': given ?? early,
    'early-data-header': header ?? (isInPath ? 'Sec-WebSocket-Protocol' : undefined),
  });
}

function httpupgrade(transport: Fields): Draft {
  const [host, header] = [sentNameOf(transport, 'host'), hostHeader(transport)];
  const { path } = splitPath(transport.text('path'));
  return compact({ type: 'httpupgrade', path, host: host ?? header });
}

function grpc(transport: Fields): Draft {
  transport.leaveOut(['idle_timeout', 'ping_timeout', 'permit_without_stream']);
  return { type: 'grpc', service: transport.valid('service_name', serviceSchema) ?? 'GunService' };
}

/** Reads the header Host, which can be a list of one. */
function hostHeader(transport: Fields): string | undefined {
  const headers = transport.section('headers');
  if (headers === undefined) return undefined;
  const key = hostKey(headers);
  const [host, ...more] = headers.texts(key) ?? [];
  if (more.length > 0) headers.flaw(key, 'must be one host');
  headers.end();
  return host ? headers.check(key, sentNameSchema, plainHost(host)) : undefined;
}
