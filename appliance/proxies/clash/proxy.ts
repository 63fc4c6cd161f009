import { ssCipherOf, ssCiphers, vmessCipherOf, vmessCiphers } from '../model/ciphers.ts';
import {
  compact,
  type Draft,
  finishProxy,
  flowOf,
  hostOf,
  namedTls,
  nameOf,
  usedFlow,
  userOf,
} from '../model/draft.ts';
import { type ProxyEntry, type ProxyType, proxyTypes } from '../model/proxy.ts';
import { portSchema, secretSchema, wholeNumber } from '../model/text.ts';
import { type Fields, isMap } from '../source/fields.ts';
import { clashPlugin } from './plugin.ts';
import { clashHysteria, clashHysteria2, clashTuic } from './quic.ts';
import { clashTls, clashTransport } from './transport.ts';

/** Reads one entry of `proxies` of Clash or mihomo; undefined after a reported problem. */
export function clashProxy(fields: Fields): ProxyEntry | undefined {
  return fields.report.entry('proxy', () => {
    const given = fields.text('type');
    const type = fields.choice('type', proxyTypes, given === 'hy2' ? 'hysteria2' : given);
    if (type === undefined) {
      if (given === undefined) fields.problem('type', 'is missing');
      return undefined;
    }
    const draft = fields.report.attempt(() => {
      const read = { ...common(fields), ...readers[type](fields), type };
      for (const key of routing) fields.refuse(key);
      fields.ignore('ip-version', ['dual']);
      fields.ignore('smux', disabled(fields.raw('smux')));
      fields.end();
      return read;
    });
    return draft && finishProxy(fields, draft);
  });
}

/** Options that change the way to the server. */
const routing = ['interface-name', 'routing-mark', 'dialer-proxy'];

/** A section of multiplexing that is turned off has no effect. */
function disabled(smux: unknown): unknown[] {
  return isMap(smux) && /^true$/i.test(String(smux.enabled)) ? [] : [smux];
}

function common(fields: Fields): Draft {
  return {
    name: nameOf(fields, 'name'),
    server: hostOf(fields, 'server'),
    port: fields.number('port', portSchema),
    tfo: fields.flag('tfo') || undefined,
    mptcp: fields.flag('mptcp') || undefined,
  };
}

const readers: Readonly<Record<ProxyType, (fields: Fields) => Draft>> = {
  ss: shadowsocks,
  vmess,
  vless,
  trojan,
  anytls,
  hysteria: clashHysteria,
  hysteria2: clashHysteria2,
  tuic: clashTuic,
  http,
  socks5,
};

function shadowsocks(fields: Fields): Draft {
  const isOverTcp = fields.flag('udp-over-tcp') ?? false;
  const version = fields.number('udp-over-tcp-version', wholeNumber(1, 2)) ?? 1;
  const cipher = fields.text('cipher');
  return {
    cipher: cipher && fields.choice('cipher', ssCiphers, ssCipherOf(cipher)),
    password: fields.valid('password', secretSchema),
    udp: fields.flag('udp') ?? false,
    'udp-over-tcp': isOverTcp ? version : undefined,
    plugin: clashPlugin(fields),
  };
}

function vmess(fields: Fields): Draft {
  for (const key of ['global-padding', 'authenticated-length']) fields.refuse(key);
  return {
    uuid: userOf(fields, 'uuid'),
    alterId: fields.number('alterId', wholeNumber(0, 65_535)) ?? 0,
    cipher: fields.choice('cipher', vmessCiphers, vmessCipherOf(fields.text('cipher'))) ?? 'auto',
    ...stream(fields),
  };
}

function vless(fields: Fields): Draft {
  fields.refuse('encryption', ['', 'none']);
  const flow = flowOf(fields);
  const rest = stream(fields);
  return { uuid: userOf(fields, 'uuid'), flow: usedFlow(fields, flow, rest), ...rest };
}

function trojan(fields: Fields): Draft {
  fields.refuse('ss-opts');
  const transport = clashTransport(fields);
  const tls = namedTls(clashTls(fields, 'sni'), hostOf(fields, 'server'), transport);
  fields.ignore('tls', [true, 'true']);
  const password = fields.valid('password', secretSchema);
  return { password, udp: fields.flag('udp') ?? false, tls, transport };
}

function anytls(fields: Fields): Draft {
  const nameKey = fields.has('sni') ? 'sni' : 'servername';
  const tls = namedTls(clashTls(fields, nameKey), hostOf(fields, 'server'), undefined);
  // UDP is always forwarded.
  fields.ignore('udp', [true, 'true', false, 'false']);
  fields.ignore('tfo');
  return { tfo: undefined, password: fields.valid('password', secretSchema), tls };
}

function http(fields: Fields): Draft {
  const { alpn, ...tls } = clashTls(fields, 'sni');
  if (alpn) fields.flaw('alpn', 'not supported for http');
  fields.refuse('headers');
  fields.ignore('udp');
  const isSecure = fields.flag('tls') ?? false;
  return {
    ...login(fields),
    tls: isSecure ? namedTls(tls, hostOf(fields, 'server'), undefined) : undefined,
  };
}

function socks5(fields: Fields): Draft {
  fields.refuse('tls');
  for (const key of ['skip-cert-verify', 'sni', 'fingerprint']) fields.ignore(key);
  return { ...login(fields), udp: fields.flag('udp') ?? false };
}

function stream(fields: Fields): Draft {
  const transport = clashTransport(fields);
  const nameKey = fields.has('sni') && !fields.has('servername') ? 'sni' : 'servername';
  const tls = clashTls(fields, nameKey);
  const isSecure =
    (fields.flag('tls') ?? false) || tls.reality !== undefined || transport?.type === 'h2';
  return compact({
    udp: fields.flag('udp') ?? false,
    'packet-encoding': packetEncoding(fields),
    tls: isSecure ? namedTls(tls, hostOf(fields, 'server'), transport) : undefined,
    transport,
  });
}

function packetEncoding(fields: Fields): string | undefined {
  const given = fields.text('packet-encoding');
  const encoding = fields.choice(
    'packet-encoding',
    ['xudp', 'packetaddr'],
    given === 'packet' ? 'packetaddr' : given,
  );
  const [xudp, packet] = [fields.flag('xudp'), fields.flag('packet-addr')];
  return encoding ?? (packet ? 'packetaddr' : xudp ? 'xudp' : undefined);
}

function login(fields: Fields): Draft {
  return {
    username: fields.valid('username', secretSchema),
    password: fields.valid('password', secretSchema),
  };
}
