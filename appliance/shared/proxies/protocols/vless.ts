import { z } from 'zod';
import { uuidSchema } from '../model/text.ts';
import type { Fields } from '../source/fields.ts';
import { because } from '../source/reasons.ts';
import { addressOf } from './link.ts';
import { common, field, type Protocol } from './protocol.ts';
import { anyStream, readLinkStream, stream, userField, userOfLink } from './v2ray.ts';

const schema = z
  .strictObject({
    type: z.literal('vless'),
    ...common,
    uuid: uuidSchema,
    flow: z.literal('xtls-rprx-vision').optional(),
    ...stream,
  })
  .refine(({ flow, tls, transport }) => !flow || (tls && !transport), {
    error: because('plain-tls'),
    path: ['flow'],
  });

/** Reads `flow`. The client forwards UDP on port 443 anyway. */
function flowOf(fields: Fields): string | undefined {
  const text = fields.text('flow');
  const plain = text?.replace(/(?:-udp443)+$/, '');
  if (text === undefined || plain === 'none') return undefined;
  return fields.choice('flow', ['xtls-rprx-vision'], plain);
}

/** VLESS. Links follow the proposal for share links of Project X. */
export const vless = {
  schema,
  singBoxType: 'vless',
  parts: [userField, field('flow', 'flow', flowOf), ...anyStream],
  others: { clash: (fields) => fields.refuse('encryption', ['', 'none']) },
  /** The flow only works with TLS and without a transport; clients ignore it otherwise. */
  adjust: (fields, entry) =>
    entry.flow === undefined || (entry.tls && !entry.transport)
      ? entry
      : { ...entry, flow: fields.flaw('flow', 'plain-tls') },
  links: {
    vless: (link) => {
      link.fields.refuse('encryption', ['none', '']);
      return {
        ...addressOf(link, 443),
        uuid: userOfLink(link),
        flow: flowOf(link.fields),
        udp: true,
        ...readLinkStream(link, 'none'),
      };
    },
  },
} satisfies Protocol<z.infer<typeof schema>>;
