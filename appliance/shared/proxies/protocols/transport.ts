import { z } from 'zod';
import {
  pathSchema,
  plainHost,
  sentNameSchema,
  serviceSchema,
  splitPath,
  wholeNumber,
} from '../model/text.ts';
import type { Fields } from '../source/fields.ts';
import { because } from '../source/reasons.ts';
import { sentNameOf, type Written } from './protocol.ts';

const address = { path: pathSchema, host: sentNameSchema.optional() };
const hosts = z.array(sentNameSchema).max(16);

/** A transport below TLS. Without one, the protocol uses TCP directly. */
export const transportSchema = z.discriminatedUnion('type', [
  z.strictObject({
    ...{ type: z.literal('ws'), ...address },
    'max-early-data': wholeNumber(1, 65_535).optional(),
    'early-data-header': z
      .string()
      .regex(/^[A-Za-z0-9-]{1,64}$/, because('no-header'))
      .optional(),
  }),
  z.strictObject({ type: z.literal('httpupgrade'), ...address }),
  z.strictObject({ type: z.literal('grpc'), service: serviceSchema }),
  /** HTTP/2, with TLS. */
  z.strictObject({ type: z.literal('h2'), path: pathSchema, hosts: hosts.min(1) }),
  /** HTTP/1.1, without TLS. */
  z.strictObject({
    ...{ type: z.literal('http'), method: z.enum(['GET', 'POST', 'PUT']) },
    ...{ path: pathSchema, hosts },
  }),
]);

type Transport = z.infer<typeof transportSchema>;

/** A transport that is not validated yet; which fields it has depends on its type. */
export interface TransportValues {
  readonly type: Transport['type'];
  readonly path?: string | undefined;
  readonly host?: string | undefined;
  readonly hosts?: readonly string[] | undefined;
  readonly method?: string | undefined;
  readonly service?: string | undefined;
  readonly 'max-early-data'?: number | undefined;
  readonly 'early-data-header'?: string | undefined;
}

export const maxEarlyData = wholeNumber(0, 65_535);
export const earlyDataHeader = 'Sec-WebSocket-Protocol';

/** Reads the name of a gRPC service. */
export function serviceOf(fields: Fields, key: string): string {
  return fields.valid(key, serviceSchema) ?? 'GunService';
}

const networks = ['tcp', 'ws', 'http', 'h2', 'grpc'] as const;
const networkOptions = ['ws-opts', 'http-opts', 'h2-opts', 'grpc-opts'];

export const clashTransport = {
  /** Reads `network` of Clash and its options. Options of other networks have no effect. */
  read(fields: Fields): TransportValues | undefined {
    const text = fields.text('network');
    const plain = text === 'raw' || text === 'none' ? 'tcp' : text;
    const network = fields.choice('network', networks, plain) ?? 'tcp';
    const own = `${network}-opts`;
    const others = networkOptions.filter((key) => key !== own);
    fields.leaveOut(others, `no-effect-with-network ${network}`);
    if (network === 'tcp') return undefined;
    return fields.within(own, (options) => clashReaders[network](options, fields));
  },

  /** Returns the fields of a transport in mihomo. */
  write(transport: Transport | undefined): Written {
    if (transport === undefined) return {};
    const { type, path, host, hosts, ...options }: TransportValues = transport;
    const address = { path, headers: host && { Host: host } };
    switch (type) {
      case 'ws': {
        const { 'max-early-data': size, 'early-data-header': header } = options;
        const early = { 'max-early-data': size, 'early-data-header-name': header };
        return { network: 'ws', 'ws-opts': { ...address, ...early } };
      }
      case 'httpupgrade':
        return { network: 'ws', 'ws-opts': { ...address, 'v2ray-http-upgrade': true } };
      case 'grpc':
        return { network: 'grpc', 'grpc-opts': { 'grpc-service-name': options.service } };
      case 'h2':
        return { network: 'h2', 'h2-opts': { host: hosts, path } };
      case 'http': {
        const headers = hosts?.[0] && { Host: hosts };
        return { network: 'http', 'http-opts': { method: options.method, path: [path], headers } };
      }
    }
  },
};

type ClashReader = (options: Fields, fields: Fields) => TransportValues;

const clashReaders: Readonly<Record<'ws' | 'http' | 'h2' | 'grpc', ClashReader>> = {
  ws: (options, fields) => {
    const { path, early } = splitPath(either(fields, options.text('path'), fields.text('ws-path')));
    const oldHost = fields.within('ws-headers', headerHost);
    const host = either(fields, options.within('headers', headerHost), oldHost);
    const size = options.number('max-early-data', maxEarlyData) || undefined;
    const header = options.text('early-data-header-name');
    options.ignore('v2ray-http-upgrade-fast-open');
    if (options.flag('v2ray-http-upgrade')) return { type: 'httpupgrade', path, host };
    return {
      ...{ type: 'ws', path, host, 'max-early-data': size ?? early },
      'early-data-header': header ?? (early === undefined ? undefined : earlyDataHeader),
    };
  },
  http: (options) => {
    const paths = options.texts('path') ?? [];
    if (paths.length > 1) options.flaw('path', 'one-path');
    const hosts = options.within('headers', (headers) => {
      if (headers.texts('Connection')?.some((value) => value !== 'keep-alive'))
        headers.flaw('Connection', 'keep-alive');
      return plainHosts(headers.texts(hostKey(headers)));
    });
    const method = options.text('method')?.toUpperCase() ?? 'GET';
    return { type: 'http', method, path: splitPath(paths[0]).path, hosts };
  },
  h2: (options) => {
    const hosts = plainHosts(options.texts('host'));
    return { type: 'h2', path: splitPath(options.text('path')).path, hosts };
  },
  grpc: (options) => {
    options.ignore(['grpc-user-agent', 'ping-interval']);
    options.ignore(['max-connections', 'min-streams', 'max-streams']);
    return { type: 'grpc', service: serviceOf(options, 'grpc-service-name') };
  },
};

/** Returns a value that is in `ws-opts`, in the older `ws-path` or `ws-headers`, or in both. */
function either(fields: Fields, now: string | undefined, old: string | undefined) {
  if (now !== undefined && old !== undefined && now !== old) {
    fields.flaw('ws-opts', 'differs ws-path or ws-headers');
  }
  return now ?? old;
}

function plainHosts(texts: readonly string[] | undefined): string[] {
  return (texts ?? []).map(plainHost).filter(Boolean).slice(0, 16);
}

function hostKey(headers: Fields): string {
  return headers.keys().find((key) => key.toLowerCase() === 'host') ?? 'Host';
}

function headerHost(headers: Fields): string | undefined {
  return sentNameOf(headers, hostKey(headers));
}

export const singBoxTransport = {
  /** Reads `transport` of sing-box. With TLS, `http` is HTTP/2. */
  read(fields: Fields, hasTls: boolean): TransportValues | undefined {
    const transport = fields.section('transport');
    if (transport && !transport.has('type')) transport.problem('type', 'missing');
    const type = transport?.choice('type', ['http', 'ws', 'grpc', 'httpupgrade']);
    if (transport === undefined || type === undefined) return undefined;
    const values = singBoxReaders[type](transport, hasTls);
    transport.end();
    return values;
  },

  /** Returns `transport` of sing-box. */
  write(transport: Transport): Written {
    const { type, path, host, hosts, method, ...options }: TransportValues = transport;
    switch (type) {
      case 'ws':
        return {
          ...{ type, path, headers: host && { Host: host } },
          max_early_data: options['max-early-data'],
          early_data_header_name: options['early-data-header'],
        };
      case 'httpupgrade':
        return { type, host, path };
      case 'grpc':
        return { type, service_name: options.service };
      case 'h2':
        return { type: 'http', host: hosts, path };
      case 'http':
        return { type, host: hosts?.[0] && hosts, method, path };
    }
  },
};

type SingBoxReader = (transport: Fields, hasTls: boolean) => TransportValues;

const singBoxReaders: Readonly<Record<'http' | 'ws' | 'grpc' | 'httpupgrade', SingBoxReader>> = {
  http: (transport, hasTls) => {
    transport.ignore('headers');
    transport.leaveOut(['idle_timeout', 'ping_timeout']);
    const hosts = plainHosts(transport.texts('host'));
    const { path } = splitPath(transport.text('path'));
    const method = transport.text('method')?.toUpperCase();
    if (!hasTls) return { type: 'http', method: method ?? 'GET', path, hosts };
    if (method && method !== 'PUT') transport.flaw('method', 'put-with-tls');
    return { type: 'h2', path, hosts };
  },
  ws: (transport) => {
    const { path, early } = splitPath(transport.text('path'));
    const size = transport.number('max_early_data', maxEarlyData) || undefined;
    const header = transport.text('early_data_header_name');
    const isInPath = size === undefined && early !== undefined;
    return {
      ...{ type: 'ws', path, host: singBoxHost(transport), 'max-early-data': size ?? early },
      'early-data-header': header ?? (isInPath ? earlyDataHeader : undefined),
    };
  },
  grpc: (transport) => {
    transport.leaveOut(['idle_timeout', 'ping_timeout', 'permit_without_stream']);
    return { type: 'grpc', service: serviceOf(transport, 'service_name') };
  },
  httpupgrade: (transport) => {
    const [host, header] = [sentNameOf(transport, 'host'), singBoxHost(transport)];
    const { path } = splitPath(transport.text('path'));
    return { type: 'httpupgrade', path, host: host ?? header };
  },
};

/** Reads the header Host, which can be a list of one. */
function singBoxHost(transport: Fields): string | undefined {
  return transport.within('headers', (headers) => {
    const key = hostKey(headers);
    const [host, ...more] = headers.texts(key) ?? [];
    if (more.length > 0) headers.flaw(key, 'one-host');
    return host ? headers.check(key, sentNameSchema, plainHost(host)) : undefined;
  });
}
