import { z } from 'zod';
import { componentNames, componentOf } from '../../component-names.ts';
import { relayKeyTerms } from './key-terms.ts';

/** The origins whose pages may use the relay, in a site and in the settings of the relay. */
export const relayOrigins = z
  .array(
    z
      .string()
      .max(256)
      .regex(
        /^(?:\*|[a-z][a-z0-9+.-]*:\/\/[a-z0-9[\]:._-]+)$/,
        'must be an origin without a path, such as https://chat.example.com or app://obsidian.md, or *',
      ),
  )
  .max(32);

/** The relay settings of a site. */

/** Keys of every server: the administrator's, and those of the chat UI and the front-ends. */
const ownKeys: readonly string[] = [
  'owner',
  ...componentNames.filter((name) => componentOf(name).usesRelay),
];

const keyName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be a short name in lower case, such as phone')
  .refine((name) => !ownKeys.includes(name), 'is a reserved name');

const providerName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be the name of a provider, such as openai');

/** A client with limits of its own. */
const keyWithTerms = z.strictObject({
  name: keyName.describe('Name of the device or user.'),
  providers: z
    .array(providerName)
    .min(1)
    .max(64)
    .optional()
    .describe('Providers that the key may use. Default: all providers.'),
  ...relayKeyTerms,
  requests_per_minute: z
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .describe('Requests per minute. Default: 240.'),
  concurrency: z.int().min(1).max(10_000).optional().describe('Concurrent requests. Default: 16.'),
});

const relayKey = z.union([keyName, keyWithTerms]);

/** A relay client: its name, or its name with limits. */
type RelayKey = z.infer<typeof relayKey>;

/** Additional relay clients. Each has its own key, which the server generates. */
export const relaySettings = z
  .strictObject({
    keys: z
      .array(relayKey)
      .max(32)
      .refine((keys) => new Set(keys.map(clientOf)).size === keys.length, 'lists a name twice')
      .default([])
      .describe(
        'One entry per device or user: a name, or a name with limits. `landfall credentials` shows the keys.',
      ),
    local: z
      .boolean()
      .optional()
      .describe('Whether the relay also serves the local models, as the provider local.'),
    origins: relayOrigins
      .min(1)
      .optional()
      .describe(
        'Origins whose web pages and plug-ins may use the relay with a key, or `*` for all. Default: none.',
      ),
    ui: z
      .strictObject({
        tokens_per_day_per_user: relayKeyTerms.tokens_per_day
          .unwrap()
          .describe('Tokens of hosted models per day, in UTC, for each user of the chat UI.'),
      })
      .optional()
      .describe('Limits of the users of the chat UI, who share one key.'),
  })
  .default({ keys: [] })
  .describe('The relay for hosted providers and local models.');

/** Returns the name of a relay client. */
export function clientOf(key: RelayKey): string {
  return typeof key === 'string' ? key : key.name;
}

type WithRelay = { readonly relay: z.infer<typeof relaySettings> };

/** Returns the names of the additional relay clients of a site. */
export function relayClients({ relay }: WithRelay): string[] {
  return relay.keys.map(clientOf);
}

/** Returns whether the relay stores the usage of keys on the server. */
export function hasRelayBudgets({ relay }: WithRelay): boolean {
  return relay.ui !== undefined || relay.keys.some(hasBudget);
}

function hasBudget(key: RelayKey): boolean {
  if (typeof key === 'string') return false;
  const { tokens_per_day, tokens_per_month, requests_per_day } = key;
  return [tokens_per_day, tokens_per_month, requests_per_day].some((limit) => limit !== undefined);
}
