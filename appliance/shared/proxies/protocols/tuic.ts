import { z } from 'zod';
import { secretSchema, uuidSchema } from '../model/text.ts';
import type { Fields } from '../source/fields.ts';
import { addressOf, decode, flagOf } from './link.ts';
import { common, type Protocol } from './protocol.ts';
import { clashQuic, linkQuic, singBoxQuic } from './quic.ts';
import { clashTls, quicTlsSchema, singBoxTls } from './tls.ts';

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

function uuidOf(fields: Fields): string | undefined {
  return fields.check('uuid', uuidSchema, fields.text('uuid')?.toLowerCase());
}

/** Returns the congestion control, or notes an unknown one. */
function congestionOf(fields: Fields, key: string, name: string | undefined) {
  const found = congestionControls.find((each) => each === name);
  return name && !found ? fields.flaw(key, 'unknown value') : found;
}

/** TUIC, version 5. 0-RTT is ignored: an attacker can repeat what is sent before the handshake. */
export const tuic = {
  schema,
  clash: {
    read: (fields) => {
      // A token belongs to version 4.
      for (const key of ['token', 'ip', 'disable-sni']) fields.refuse(key);
      fields.ignore('reduce-rtt');
      const key = 'congestion-controller';
      const congestion = congestionOf(fields, key, fields.text(key));
      return {
        uuid: uuidOf(fields),
        password: fields.valid('password', secretSchema),
        congestion,
        'udp-relay-mode': fields.choice('udp-relay-mode', relayModes),
        tls: clashQuic.readTls(fields),
      };
    },
    write: (proxy) => ({
      uuid: proxy.uuid,
      // mihomo takes the entry for version 4 without a password.
      password: proxy.password ?? '',
      'congestion-controller': proxy.congestion,
      'udp-relay-mode': proxy['udp-relay-mode'],
      ...clashTls.write(proxy.tls),
    }),
  },
  singBox: {
    type: 'tuic',
    read: (fields, server) => {
      fields.ignore('network', ['tcp', 'udp']);
      for (const key of ['zero_rtt_handshake', 'heartbeat']) fields.ignore(key);
      fields.refuse('udp_over_stream');
      return {
        uuid: uuidOf(fields),
        password: fields.valid('password', secretSchema),
        congestion: fields.choice('congestion_control', congestionControls),
        'udp-relay-mode': fields.choice('udp_relay_mode', relayModes),
        tls: singBoxQuic.readTls(fields, server),
      };
    },
    write: (proxy) => ({
      uuid: proxy.uuid,
      password: proxy.password,
      congestion_control: proxy.congestion,
      udp_relay_mode: proxy['udp-relay-mode'],
      tls: singBoxTls.write(proxy.tls),
    }),
  },
  links: {
    tuic: (link) => {
      const { fields, user = '' } = link;
      const [uuid = '', ...rest] = (decode(user) ?? user).split(':');
      const password = rest.join(':') || fields.text('password');
      const control = fields.text('congestion_control') ?? fields.text('congestion_controller');
      const congestion = congestionOf(fields, 'congestion_control', control);
      if (flagOf(fields, 'disable_sni')) fields.problem('disable_sni', 'not supported');
      fields.ignore('reduce_rtt');
      fields.ignore('version', [5, '5']);
      fields.ignore('security', ['tls']);
      return {
        ...addressOf(link, 443),
        uuid: fields.check('UUID', uuidSchema, uuid.toLowerCase()),
        password: fields.check('password', secretSchema, password),
        congestion,
        'udp-relay-mode': fields.choice('udp_relay_mode', relayModes),
        tls: linkQuic.readTls(link),
      };
    },
  },
} satisfies Protocol<z.infer<typeof schema>>;
