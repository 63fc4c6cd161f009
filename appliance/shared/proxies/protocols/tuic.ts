import { z } from 'zod';
import { secretSchema, uuidSchema } from '../model/text.ts';
import type { Fields } from '../source/fields.ts';
import { addressOf, decode, flagOf } from './link.ts';
import { common, field, type Part, type Protocol, secretField } from './protocol.ts';
import { quicTls, readLinkQuicTls } from './quic.ts';
import { quicTlsSchema } from './tls.ts';

export const congestionControls = ['cubic', 'new_reno', 'bbr'] as const;
export const relayModes = ['native', 'quic'] as const;

const schema = z.strictObject({
  type: z.literal('tuic'),
  ...common,
  uuid: uuidSchema,
  password: secretSchema.optional(),
  congestion: z.enum(congestionControls).optional(),
  'udp-relay-mode': z.enum(relayModes).optional(),
  tls: quicTlsSchema,
});
type Tuic = z.infer<typeof schema>;

const congestionKeys = { clash: 'congestion-controller', singBox: 'congestion_control' };

/** Returns the congestion control, or notes an unknown one. */
function congestionOf(fields: Fields, key: string, name = fields.text(key)) {
  const found = congestionControls.find((each) => each === name);
  return name && !found ? fields.flaw(key, 'unknown-value') : found;
}

const parts: readonly Part<Tuic>[] = [
  field('uuid', 'uuid', (fields, key) =>
    fields.check(key, uuidSchema, fields.text(key)?.toLowerCase()),
  ),
  // mihomo takes the entry for version 4 without a password.
  secretField('password', 'password', {
    write: (proxy) => ({ password: proxy.password ?? '' }),
  }),
  field('congestion', congestionKeys, (fields, key) => fields.choice(key, congestionControls), {
    read: (fields) => ({ congestion: congestionOf(fields, congestionKeys.clash) }),
  }),
  field('udp-relay-mode', { clash: 'udp-relay-mode', singBox: 'udp_relay_mode' }, (fields, key) =>
    fields.choice(key, relayModes),
  ),
  quicTls,
];

/** TUIC, version 5. 0-RTT is ignored: an attacker can repeat what is sent before the handshake. */
export const tuic = {
  schema,
  singBoxType: 'tuic',
  parts,
  others: {
    clash: (fields) => {
      // A token belongs to version 4.
      fields.refuse(['token', 'ip', 'disable-sni']);
      fields.ignore('reduce-rtt');
    },
    singBox: (fields) => {
      fields.ignore(['zero_rtt_handshake', 'heartbeat']);
      fields.refuse('udp_over_stream');
    },
  },
  links: {
    tuic: (link) => {
      const { fields, user = '' } = link;
      const [uuid = '', ...rest] = (decode(user) ?? user).split(':');
      const password = rest.join(':') || fields.text('password');
      const control = fields.text('congestion_control') ?? fields.text('congestion_controller');
      if (flagOf(fields, 'disable_sni')) fields.problem('disable_sni', 'not-supported');
      fields.ignore('reduce_rtt');
      fields.ignore('version', [5, '5']);
      return {
        ...addressOf(link, 443),
        uuid: fields.check('UUID', uuidSchema, uuid.toLowerCase()),
        password: fields.check('password', secretSchema, password),
        congestion: congestionOf(fields, 'congestion_control', control),
        'udp-relay-mode': fields.choice('udp_relay_mode', relayModes),
        tls: readLinkQuicTls(link),
      };
    },
  },
} satisfies Protocol<Tuic>;
