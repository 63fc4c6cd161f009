import { z } from 'zod';
import { secretSchema } from '../model/text.ts';
import type { Fields } from '../source/fields.ts';
import { decode, type Link } from './link.ts';
import { common, type Part, type Protocol, secretField } from './protocol.ts';
import { hopping, ports, quicTls, readLinkQuic, speed, speedSchema, withHopping } from './quic.ts';
import { quicTlsSchema } from './tls.ts';

const firstSchema = withHopping(
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

const auth = secretField(
  'auth',
  { clash: 'auth-str', singBox: 'auth_str' },
  {
    read: (fields) => {
      const [text, older] = ['auth-str', 'auth_str'].map((key) => fields.valid(key, secretSchema));
      if (text === undefined && older === undefined) fields.refuse('auth');
      return { auth: text ?? older };
    },
  },
);

/** Hysteria, version 1. */
export const hysteria = {
  schema: firstSchema,
  singBoxType: 'hysteria',
  parts: [auth, ports, secretField('obfs'), speed('up', true), speed('down', true), quicTls],
  others: {
    clash: (fields) => {
      // Other protocols are not supported by sing-box.
      fields.choice('protocol', ['udp']);
      fields.refuse('obfs-protocol', ['udp']);
    },
    singBox: (fields) => {
      fields.ignore(['recv_window_conn', 'recv_window', 'disable_mtu_discovery']);
      fields.refuse('auth');
    },
  },
  links: {
    hysteria: (link) => {
      const { fields } = link;
      fields.choice('protocol', ['udp']);
      const obfs = fields.valid('obfsParam', secretSchema);
      if (obfs) fields.choice('obfs', ['xplus']);
      return {
        ...readLinkQuic(link),
        auth: fields.valid(fields.has('auth') ? 'auth' : 'auth_str', secretSchema),
        obfs: obfs ?? fields.valid('obfs', secretSchema),
      };
    },
  },
} satisfies Protocol<z.infer<typeof firstSchema>>;

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
  if (password === undefined) fields.problem('obfs-password', 'missing');
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
  if (user && secret === undefined) fields.problem('password', 'percent');
  const obfs = readObfs(fields);
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
