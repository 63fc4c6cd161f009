import { z } from 'zod';
import { secretSchema } from '../model/text.ts';
import type { Fields } from '../source/fields.ts';
import { decode, type Link } from './link.ts';
import { common, type Part, type Protocol, secretField } from './protocol.ts';
import { hopping, ports, quicTls, readLinkQuic, speed, speedSchema, withHopping } from './quic.ts';
import { quicTlsSchema } from './tls.ts';

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
type Hysteria2 = z.infer<typeof schema>;

/** Reads the obfuscation in Clash and in links. */
function readObfs(fields: Fields) {
  const obfs = fields.choice('obfs', ['salamander', 'none']);
  const password = fields.valid('obfs-password', secretSchema);
  if (obfs !== 'salamander') return undefined;
  if (password === undefined) fields.problem('obfs-password', 'is missing');
  return { type: obfs, password };
}

const parts: readonly Part<Hysteria2>[] = [
  secretField('password', 'password', {
    read: (fields) => {
      const [text, auth] = ['password', 'auth'].map((key) => fields.valid(key, secretSchema));
      return { password: text ?? auth };
    },
  }),
  ports,
  {
    clash: {
      read: (fields) => ({ obfs: readObfs(fields) }),
      write: ({ obfs }) => ({ obfs: obfs?.type, 'obfs-password': obfs?.password }),
    },
    singBox: {
      read: (fields) =>
        fields.within('obfs', (obfs) => {
          const type = obfs.choice('type', ['salamander']);
          const secret = obfs.valid('password', secretSchema);
          return { obfs: type && { type, password: secret } };
        }),
      write: ({ obfs }) => ({ obfs }),
    },
  },
  speed('up'),
  speed('down'),
  quicTls,
];

function readLink(link: Link) {
  const { fields, user } = link;
  const secret = user === undefined ? undefined : decode(user);
  if (user && secret === undefined) fields.problem('password', 'is not valid percent-encoding');
  const obfs = readObfs(fields);
  fields.ignore('security', ['tls']);
  fields.refuse('pinSHA256');
  return {
    ...readLinkQuic(link),
    password: fields.check('password', secretSchema, secret || undefined),
    obfs,
  };
}

/** Hysteria, version 2. */
export const hysteria2 = {
  schema,
  singBoxType: 'hysteria2',
  parts,
  others: {
    singBox: (fields) => {
      fields.ignore(['brutal_debug', 'bbr_profile', 'hop_interval_max']);
      fields.refuse('realm');
    },
  },
  links: { hysteria2: readLink, hy2: readLink },
} satisfies Protocol<Hysteria2>;
