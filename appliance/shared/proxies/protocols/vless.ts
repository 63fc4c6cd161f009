import { z } from 'zod';
import { uuidSchema } from '../model/text.ts';
import type { Fields } from '../source/fields.ts';
import { addressOf } from './link.ts';
import { common, type Protocol } from './protocol.ts';
import { clashStream, readLinkStream, singBoxStream, stream, userOf, userOfLink } from './v2ray.ts';

const schema = z
  .strictObject({
    type: z.literal('vless'),
    ...common,
    uuid: uuidSchema,
    flow: z.literal('xtls-rprx-vision').optional(),
    ...stream,
  })
  .refine(({ flow, tls, transport }) => !flow || (tls && !transport), {
    error: 'needs TLS and no transport',
    path: ['flow'],
  });

/** Reads `flow`. The client forwards UDP on port 443 anyway. */
function flowOf(fields: Fields): string | undefined {
  const text = fields.text('flow');
  const plain = text?.replace(/(?:-udp443)+$/, '');
  if (text === undefined || plain === 'none') return undefined;
  return fields.choice('flow', ['xtls-rprx-vision'], plain);
}

/** Returns the flow, which only works with TLS and without a transport; clients ignore it otherwise. */
function usedFlow(
  fields: Fields,
  flow: string | undefined,
  { tls, transport }: { readonly tls?: unknown; readonly transport?: unknown },
): string | undefined {
  if (flow === undefined || (tls && !transport)) return flow;
  return fields.flaw('flow', 'needs TLS and no transport');
}

/** VLESS. Links follow the proposal for share links of Project X. */
export const vless = {
  schema,
  clash: {
    read: (fields) => {
      fields.refuse('encryption', ['', 'none']);
      const [flow, rest] = [flowOf(fields), clashStream.read(fields)];
      return { uuid: userOf(fields, 'uuid'), flow: usedFlow(fields, flow, rest), ...rest };
    },
    write: (proxy) => ({ uuid: proxy.uuid, flow: proxy.flow, ...clashStream.write(proxy) }),
  },
  singBox: {
    type: 'vless',
    read: (fields, server) => {
      const [flow, rest] = [flowOf(fields), singBoxStream.read(fields, server)];
      return {
        uuid: userOf(fields, 'uuid'),
        flow: usedFlow(fields, flow, rest),
        'packet-encoding': singBoxStream.readEncoding(fields),
        ...rest,
      };
    },
    write: (proxy) => ({ uuid: proxy.uuid, flow: proxy.flow, ...singBoxStream.write(proxy) }),
  },
  links: {
    vless: (link) => {
      const { fields } = link;
      fields.refuse('encryption', ['none', '']);
      const [flow, rest] = [flowOf(fields), readLinkStream(link, 'none')];
      return {
        ...addressOf(link, 443),
        uuid: userOfLink(link),
        flow: usedFlow(fields, flow, rest),
        udp: true,
        ...rest,
      };
    },
  },
} satisfies Protocol<z.infer<typeof schema>>;
