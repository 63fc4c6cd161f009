import { z } from 'zod';
import { secretSchema } from '../model/text.ts';
import { because } from '../source/reasons.ts';
import { addressOf, secretOf } from './link.ts';
import { common, type Part, type Protocol, secretField } from './protocol.ts';
import { clashTls, linkTlsOn, readLinkTls, singBoxTls, tlsPart, tlsSchema } from './tls.ts';

const schema = z
  .strictObject({ type: z.literal('anytls'), ...common, password: secretSchema, tls: tlsSchema })
  .refine(({ tls }) => !tls.reality, { error: because('no-reality'), path: ['tls'] })
  .refine(({ tfo }) => !tfo, { error: because('not-for-anytls'), path: ['tfo'] });

/** What AnyTLS forwards always, and what it does not support. */
const constants: Part<unknown> = {
  clash: {
    read: (fields) => {
      fields.ignore('udp', [true, 'true', false, 'false']);
      fields.ignore('tls', [true, 'true']);
      fields.ignore('tfo');
      return { tfo: undefined };
    },
    write: () => ({ udp: true }),
  },
  singBox: {
    read: (fields) => {
      fields.ignore(['idle_session_check_interval', 'idle_session_timeout', 'min_idle_session']);
      fields.ignore('tcp_fast_open');
      return { tfo: undefined };
    },
    write: () => ({}),
  },
};

/** AnyTLS. */
export const anytls = {
  schema,
  singBoxType: 'anytls',
  parts: [
    secretField('password'),
    constants,
    tlsPart(
      (fields) => clashTls.read(fields, fields.has('sni') ? 'sni' : 'servername'),
      singBoxTls.readRequired,
    ),
  ],
  links: {
    anytls: (link) => {
      const { fields } = link;
      const tls = readLinkTls(fields, false);
      fields.ignore('security', ['tls']);
      fields.ignore('tls', linkTlsOn);
      fields.ignore('type', ['tcp', 'raw']);
      const password = fields.check('password', secretSchema, secretOf(link, 'password'));
      return { ...addressOf(link, 443), password, tls };
    },
  },
} satisfies Protocol<z.infer<typeof schema>>;
