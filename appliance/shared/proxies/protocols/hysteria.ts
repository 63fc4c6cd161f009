import { z } from 'zod';
import { secretSchema } from '../model/text.ts';
import { common, type Protocol, secretField } from './protocol.ts';
import { hopping, ports, quicTls, readLinkQuic, speed, speedSchema, withHopping } from './quic.ts';
import { quicTlsSchema } from './tls.ts';

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
  schema,
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
} satisfies Protocol<z.infer<typeof schema>>;
