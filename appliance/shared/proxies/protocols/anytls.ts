import { z } from 'zod';
import { secretSchema } from '../model/text.ts';
import { addressOf, secretOf } from './link.ts';
import { common, hostOf, type Protocol } from './protocol.ts';
import { clashTls, namedTls, readLinkTls, singBoxTls, tlsSchema } from './tls.ts';

const schema = z
  .strictObject({ type: z.literal('anytls'), ...common, password: secretSchema, tls: tlsSchema })
  .refine(({ tls }) => !tls.reality, { error: 'must not be REALITY', path: ['tls'] })
  .refine(({ tfo }) => !tfo, { error: 'not supported by anytls', path: ['tfo'] });

/** AnyTLS, which always forwards UDP. */
export const anytls = {
  schema,
  clash: {
    read: (fields) => {
      const nameKey = fields.has('sni') ? 'sni' : 'servername';
      const tls = namedTls(clashTls.read(fields, nameKey), hostOf(fields, 'server'));
      fields.ignore('udp', [true, 'true', false, 'false']);
      fields.ignore('tfo');
      return { tfo: undefined, password: fields.valid('password', secretSchema), tls };
    },
    write: ({ password, tls }) => ({ password, udp: true, ...clashTls.write(tls) }),
  },
  singBox: {
    type: 'anytls',
    read: (fields, server) => {
      for (const key of ['idle_session_check_interval', 'idle_session_timeout']) fields.ignore(key);
      for (const key of ['min_idle_session', 'tcp_fast_open']) fields.ignore(key);
      const tls = singBoxTls.read(fields);
      if (tls === undefined) fields.problem('tls', 'must be enabled');
      const password = fields.valid('password', secretSchema);
      return { tfo: undefined, password, tls: namedTls(tls ?? {}, server) };
    },
    write: ({ password, tls }) => ({ password, tls: singBoxTls.write(tls) }),
  },
  links: {
    anytls: (link) => {
      const { fields, host } = link;
      const tls = readLinkTls(fields, false);
      fields.ignore('security', ['tls']);
      fields.ignore('type', ['tcp', 'raw']);
      return {
        ...addressOf(link, 443),
        password: fields.check('password', secretSchema, secretOf(link, 'password')),
        tls: namedTls(tls, host),
      };
    },
  },
} satisfies Protocol<z.infer<typeof schema>>;
