import { z } from 'zod';
import { secretSchema } from '../model/text.ts';
import { decode, type Link } from './link.ts';
import { common, type Protocol } from './protocol.ts';
import {
  clashQuic,
  hopping,
  linkQuic,
  singBoxQuic,
  speedOrNone,
  speedSchema,
  withHopping,
} from './quic.ts';
import { clashTls, quicTlsSchema, singBoxTls } from './tls.ts';

const schema = withHopping(
  z.strictObject({
    type: z.literal('hysteria2'),
    ...common,
    ...hopping,
    password: secretSchema.optional(),
    obfs: z.strictObject({ type: z.literal('salamander'), password: secretSchema }).optional(),
    up: speedSchema.optional(),
    down: speedSchema.optional(),
    tls: quicTlsSchema,
  }),
);

/** Reads `hysteria2://` and `hy2://`. */
function readLink(link: Link) {
  const { fields, user } = link;
  const password = user === undefined ? undefined : decode(user);
  if (user && password === undefined) fields.problem('password', 'is not valid percent-encoding');
  const obfs = fields.choice('obfs', ['salamander', 'none']);
  const secret = fields.valid('obfs-password', secretSchema);
  if (obfs === 'salamander' && !secret) fields.problem('obfs-password', 'is missing');
  fields.ignore('security', ['tls']);
  fields.refuse('pinSHA256');
  return {
    ...linkQuic.readAddress(link),
    password: fields.check('password', secretSchema, password || undefined),
    obfs: obfs === 'salamander' ? { type: obfs, password: secret } : undefined,
    up: linkQuic.readSpeed(fields, 'up'),
    down: linkQuic.readSpeed(fields, 'down'),
    tls: linkQuic.readTls(link),
  };
}

/** Hysteria, version 2. */
export const hysteria2 = {
  schema,
  clash: {
    read: (fields) => {
      const obfs = fields.choice('obfs', ['salamander', 'none']);
      const secret = fields.valid('obfs-password', secretSchema);
      if (obfs === 'salamander' && secret === undefined)
        fields.problem('obfs-password', 'is missing');
      const password = fields.valid('password', secretSchema);
      const auth = fields.valid('auth', secretSchema);
      return {
        password: password ?? auth,
        ...clashQuic.readPorts(fields),
        obfs: obfs === 'salamander' ? { type: obfs, password: secret } : undefined,
        up: clashQuic.readSpeed(fields, 'up'),
        down: clashQuic.readSpeed(fields, 'down'),
        tls: clashQuic.readTls(fields),
      };
    },
    write: (proxy) => ({
      password: proxy.password,
      ...clashQuic.writePorts(proxy),
      obfs: proxy.obfs?.type,
      'obfs-password': proxy.obfs?.password,
      up: proxy.up && `${proxy.up} Mbps`,
      down: proxy.down && `${proxy.down} Mbps`,
      ...clashTls.write(proxy.tls),
    }),
  },
  singBox: {
    type: 'hysteria2',
    read: (fields, server) => {
      fields.ignore('network', ['tcp', 'udp']);
      for (const key of ['brutal_debug', 'bbr_profile', 'hop_interval_max']) fields.ignore(key);
      fields.refuse('realm');
      const password = fields.valid('password', secretSchema);
      const ports = singBoxQuic.readPorts(fields);
      const obfs = fields.section('obfs');
      const type = obfs?.choice('type', ['salamander']);
      const secret = obfs?.valid('password', secretSchema);
      obfs?.end();
      return {
        password,
        ...ports,
        obfs: type && { type, password: secret },
        up: fields.number('up_mbps', speedOrNone) || undefined,
        down: fields.number('down_mbps', speedOrNone) || undefined,
        tls: singBoxQuic.readTls(fields, server),
      };
    },
    write: (proxy) => ({
      password: proxy.password,
      ...singBoxQuic.writePorts(proxy),
      obfs: proxy.obfs,
      up_mbps: proxy.up,
      down_mbps: proxy.down,
      tls: singBoxTls.write(proxy.tls),
    }),
  },
  links: { hysteria2: readLink, hy2: readLink },
} satisfies Protocol<z.infer<typeof schema>>;
