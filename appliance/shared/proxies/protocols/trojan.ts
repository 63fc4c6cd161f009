import { z } from 'zod';
import { secretSchema } from '../model/text.ts';
import { addressOf, flagOf, secretOf } from './link.ts';
import { common, hostOf, type Protocol } from './protocol.ts';
import { clashTls, namedTls, tlsSchema } from './tls.ts';
import { clashTransport, transportSchema } from './transport.ts';
import { readLinkStream, singBoxStream } from './v2ray.ts';

const schema = z
  .strictObject({
    type: z.literal('trojan'),
    ...common,
    password: secretSchema,
    udp: z.boolean(),
    tls: tlsSchema,
    transport: transportSchema.optional(),
  })
  .refine(({ transport }) => !transport || !/^(?:h2|http)$/.test(transport.type), {
    error: 'must be ws, grpc or httpupgrade for trojan',
    path: ['transport'],
  });

/** Trojan, which is always in TLS. */
export const trojan = {
  schema,
  clash: {
    read: (fields) => {
      fields.refuse('ss-opts');
      const transport = clashTransport.read(fields);
      const tls = namedTls(clashTls.read(fields, 'sni'), hostOf(fields, 'server'), transport);
      fields.ignore('tls', [true, 'true']);
      const password = fields.valid('password', secretSchema);
      return { password, udp: fields.flag('udp') ?? false, tls, transport };
    },
    write: ({ password, udp, tls, transport }) => {
      return { password, udp, ...clashTls.write(tls), ...clashTransport.write(transport) };
    },
  },
  singBox: {
    type: 'trojan',
    read: (fields, server) => ({
      password: fields.valid('password', secretSchema),
      ...singBoxStream.read(fields, server),
    }),
    write: (proxy) => ({ password: proxy.password, ...singBoxStream.write(proxy) }),
  },
  links: {
    trojan: (link) => {
      const { fields } = link;
      const password = secretOf(link, 'password');
      if (fields.raw('security') === 'none')
        fields.problem('security', 'trojan needs TLS', 'Allowed: tls, reality.');
      return {
        ...addressOf(link, 443),
        password: fields.check('password', secretSchema, password),
        udp: true,
        tfo: flagOf(fields, 'tfo') || undefined,
        ...readLinkStream(link, 'tls'),
      };
    },
  },
} satisfies Protocol<z.infer<typeof schema>>;
