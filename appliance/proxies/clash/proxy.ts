import { ssCipherOf, ssCiphers, vmessCiphers } from '../model/ciphers.ts';
import { compact, type Draft, finishProxy, hostOf, namedTls } from '../model/draft.ts';
import { type ProxyEntry, type ProxyType, proxyTypes } from '../model/proxy.ts';
import { nameSchema, portSchema, secretSchema, uuidSchema, wholeNumber } from '../model/text.ts';
import { type Fields, isMap } from '../source/fields.ts';
import { clashHysteria2 } from './hysteria2.ts';
import { clashPlugin } from './plugin.ts';
import { clashTls, clashTransport, refuseTls } from './transport.ts';

/** Reads one entry of `proxies` of Clash or mihomo; undefined after a reported problem. */
export function clashProxy(fields: Fields): ProxyEntry | undefined {
  return fields.report.attempt(() => {
    const given = fields.text('type');
    const type = fields.choice('type', proxyTypes, given === 'hy2' ? 'hysteria2' : given);
    if (type === undefined) {
      if (given === undefined) fields.problem('type', 'is missing');
      return undefined;
    }
    const draft = fields.report.attempt(() => {
      const read = { ...common(fields), ...readers[type](fields), type };
      for (const key of notShared) fields.refuse(key);
      fields.refuse('ip-version', ['dual']);
      fields.refuse('smux', disabled(fields.raw('smux')));
      fields.end();
      return read;
    });
    return draft && finishProxy(fields, draft);
  });
}

const notShared = ['interface-name', 'routing-mark', 'dialer-proxy'];

/** A section of multiplexing that is turned off has no effect. */
function disabled(smux: unknown): unknown[] {
  return isMap(smux) && /^true$/i.test(String(smux.enabled)) ? [] : [smux];
}

function common(fields: Fields): Draft {
  return {
    name: fields.valid('name', nameSchema),
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
  hysteria2: clashHysteria2,
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
    uuid: uuid(fields),
    alterId: fields.number('alterId', wholeNumber(0, 65_535)) ?? 0,
    cipher: fields.choice('cipher', vmessCiphers) ?? 'auto',
    ...stream(fields),
  };
}

function vless(fields: Fields): Draft {
  fields.refuse('encryption', ['', 'none']);
  return {
    uuid: uuid(fields),
    flow: fields.choice('flow', ['xtls-rprx-vision']),
    ...stream(fields),
  };
}

function trojan(fields: Fields): Draft {
  fields.refuse('ss-opts');
  const transport = clashTransport(fields);
  const tls = namedTls(clashTls(fields, 'sni'), hostOf(fields, 'server'), transport);
  fields.refuse('tls', [true, 'true']);
  const password = fields.valid('password', secretSchema);
  return { password, udp: fields.flag('udp') ?? false, tls, transport };
}

function http(fields: Fields): Draft {
  const { alpn, ...tls } = clashTls(fields, 'sni');
  if (alpn) fields.problem('alpn', 'not supported for http');
  fields.refuse('headers');
  fields.refuse('udp');
  const isSecure = fields.flag('tls') ?? false;
  return {
    ...login(fields),
    tls: isSecure ? namedTls(tls, hostOf(fields, 'server'), undefined) : undefined,
  };
}

function socks5(fields: Fields): Draft {
  fields.refuse('tls');
  fields.refuse('skip-cert-verify');
  refuseTls(fields);
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

function uuid(fields: Fields): string | undefined {
  return fields.check('uuid', uuidSchema, fields.text('uuid')?.toLowerCase());
}
