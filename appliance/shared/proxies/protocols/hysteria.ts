import { z } from 'zod';
import { secretSchema } from '../model/text.ts';
import type { Fields } from '../source/fields.ts';
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
    type: z.literal('hysteria'),
    ...common,
    ...hopping,
    auth: secretSchema.optional(),
    /** A password for obfuscation. */
    obfs: secretSchema.optional(),
    up: speedSchema,
    down: speedSchema,
    tls: quicTlsSchema,
  }),
);

const ignoredOptions = ['recv_window_conn', 'recv_window', 'disable_mtu_discovery'];

/** Reads a speed in sing-box as a number, or as a text such as `100 Mbps`. */
function readSingBoxSpeed(fields: Fields, name: 'up' | 'down'): number | undefined {
  const number = fields.number(`${name}_mbps`, speedOrNone);
  const text = fields.text(name);
  if (number || text === undefined) return number;
  const digits = /^(\d{1,6})\s*mbps$/i.exec(text)?.[1];
  return fields.check(name, speedOrNone, digits === undefined ? Number.NaN : Number(digits));
}

/** Hysteria, version 1. */
export const hysteria = {
  schema,
  clash: {
    read: (fields) => {
      const [auth, older] = ['auth-str', 'auth_str'].map((key) => fields.valid(key, secretSchema));
      if (auth === undefined && older === undefined) fields.refuse('auth');
      // Other protocols are not supported by sing-box.
      fields.choice('protocol', ['udp']);
      fields.refuse('obfs-protocol', ['udp']);
      return {
        auth: auth ?? older,
        ...clashQuic.readPorts(fields),
        obfs: fields.valid('obfs', secretSchema),
        up: clashQuic.readSpeed(fields, fields.has('up') ? 'up' : 'up-speed'),
        down: clashQuic.readSpeed(fields, fields.has('down') ? 'down' : 'down-speed'),
        tls: clashQuic.readTls(fields),
      };
    },
    write: (proxy) => ({
      'auth-str': proxy.auth,
      ...clashQuic.writePorts(proxy),
      obfs: proxy.obfs,
      up: `${proxy.up} Mbps`,
      down: `${proxy.down} Mbps`,
      ...clashTls.write(proxy.tls),
    }),
  },
  singBox: {
    type: 'hysteria',
    read: (fields, server) => {
      fields.ignore('network', ['tcp', 'udp']);
      for (const key of ignoredOptions) fields.ignore(key);
      fields.refuse('auth');
      return {
        auth: fields.valid('auth_str', secretSchema),
        ...singBoxQuic.readPorts(fields),
        obfs: fields.valid('obfs', secretSchema),
        up: readSingBoxSpeed(fields, 'up'),
        down: readSingBoxSpeed(fields, 'down'),
        tls: singBoxQuic.readTls(fields, server),
      };
    },
    write: (proxy) => ({
      auth_str: proxy.auth,
      ...singBoxQuic.writePorts(proxy),
      obfs: proxy.obfs,
      up_mbps: proxy.up,
      down_mbps: proxy.down,
      tls: singBoxTls.write(proxy.tls),
    }),
  },
  links: {
    hysteria: (link) => {
      const { fields } = link;
      fields.choice('protocol', ['udp']);
      const obfs = fields.valid('obfsParam', secretSchema);
      if (obfs) fields.choice('obfs', ['xplus']);
      return {
        ...linkQuic.readAddress(link),
        auth: fields.valid(fields.has('auth') ? 'auth' : 'auth_str', secretSchema),
        obfs: obfs ?? fields.valid('obfs', secretSchema),
        up: linkQuic.readSpeed(fields, 'up'),
        down: linkQuic.readSpeed(fields, 'down'),
        tls: linkQuic.readTls(link),
      };
    },
  },
} satisfies Protocol<z.infer<typeof schema>>;
