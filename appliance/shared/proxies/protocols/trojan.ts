import { z } from 'zod';
import { secretSchema } from '../model/text.ts';
import { because } from '../source/reasons.ts';
import { addressOf, flagOf, secretOf } from './link.ts';
import { common, type Protocol, secretField, udpField } from './protocol.ts';
import { tlsSchema } from './tls.ts';
import { transportSchema } from './transport.ts';
import { readLinkStream, tlsStream } from './v2ray.ts';

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
    error: because('trojan-transport'),
    path: ['transport'],
  });

/** Trojan, which is always in TLS. */
export const trojan = {
  schema,
  singBoxType: 'trojan',
  parts: [secretField('password'), udpField, tlsStream],
  others: { clash: (fields) => fields.refuse('ss-opts') },
  links: {
    trojan: (link) => {
      const { fields } = link;
      const password = secretOf(link, 'password');
      if (fields.raw('security') === 'none')
        fields.problem('security', 'trojan-tls', 'allowed tls, reality');
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
