import { compact, type Draft, namedTls } from '../model/draft.ts';
import { secretSchema, wholeNumber } from '../model/text.ts';
import { parsePorts } from '../source/ports.ts';
import { addressOf, decode, flagOf, type Link } from './parse-link.ts';
import { linkAlpn, linkServerName } from './stream.ts';

const speed = wholeNumber(1, 100_000);

/** Reads `hysteria2://` and `hy2://`. The port can be a list: `443,5000-6000`. */
export function readHysteria2(link: Link): Draft {
  const { fields, port, host, user } = link;
  const many = /[,-]/.test(port) ? port : fields.text('mport');
  const ports = many === undefined ? undefined : parsePorts(fields, 'port', many);
  const password = user === undefined ? undefined : decode(user);
  if (user && password === undefined) fields.problem('password', 'is not valid percent-encoding');
  const obfs = fields.choice('obfs', ['salamander', 'none']);
  const secret = fields.valid('obfs-password', secretSchema);
  if (obfs === 'salamander' && !secret) fields.problem('obfs-password', 'is missing');
  fields.choice('security', ['tls']);
  fields.refuse('pinSHA256');
  const insecure = flagOf(fields, 'insecure', 'allowInsecure');
  const tls = {
    'server-name': linkServerName(fields),
    insecure: insecure ?? false,
  };
  const first = ports?.[0]?.[0] ?? '';
  return compact({
    ...addressOf(many === undefined ? link : { ...link, port: String(first) }, 443),
    type: 'hysteria2',
    password: fields.check('password', secretSchema, password || undefined),
    ports,
    'hop-interval': ports && fields.number('hop-interval', wholeNumber(5, 86_400)),
    obfs: obfs === 'salamander' ? { type: obfs, password: secret } : undefined,
    up: fields.number(fields.has('up') ? 'up' : 'upmbps', speed),
    down: fields.number(fields.has('down') ? 'down' : 'downmbps', speed),
    tls: namedTls(compact({ ...tls, alpn: linkAlpn(fields) }), host, undefined),
  });
}
