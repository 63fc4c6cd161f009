import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { providerApis } from '#contract/site/providers/provider-api.ts';
import { relayKeyTerms } from '#contract/site/relay/key-terms.ts';
import { relayOrigins } from '#contract/site/relay/relay-settings.ts';
import { siteSchema } from '#contract/site/site.ts';
import { parseJson, schemaProblems } from '#contract/text/json.ts';
import { hasBudget } from './budget/budget.ts';

/**
 * The settings of a relay. They contain no secrets: each provider key is in its own file or variable,
 * and relay keys are stored as SHA-256.
 */

const name = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be a short name in lower case, such as openai');

const baseUrl = z
  .url({
    protocol: /^https?$/,
    error: 'must be a URL such as https://api.openai.com/v1',
    abort: true,
  })
  .max(1024)
  .refine((text) => isPlain(new URL(text)), 'must have no user, no query and no fragment');

const keyFields = {
  key_file: z
    .string()
    .min(1)
    .max(512)
    .optional()
    .describe('File with the key, relative to this file. Default: see key_env.'),
  key_env: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]{0,63}$/, 'must be the name of a variable, such as OPENAI_API_KEY')
    .optional()
    .describe('Variable with the key. Default: OPENAI_API_KEY for the provider openai.'),
};

const oneKey = {
  when: ({ key_file, key_env }: { key_file?: unknown; key_env?: unknown }) =>
    key_file === undefined || key_env === undefined,
  error: 'must have only one of key_file and key_env',
};

const provider = z
  .strictObject({
    base_url: baseUrl.describe('URL that replaces /v1: https://api.openai.com/v1.'),
    api: z
      .enum(providerApis)
      .default('openai')
      .describe('Format of its API. The base_url of gemini replaces /v1beta too.'),
    keyless: z.boolean().default(false).describe('Whether it may be used without a key.'),
    ...keyFields,
  })
  .refine(oneKey.when, { error: oneKey.error });

const hub = z
  .strictObject({ base_url: baseUrl, ...keyFields })
  .refine(oneKey.when, { error: oneKey.error });

const limits = z.strictObject({
  requests_per_minute: z.int().min(1).max(100_000).default(240),
  concurrency: z.int().min(1).max(10_000).default(16).describe('Concurrent requests.'),
  body_bytes: z
    .int()
    .min(1)
    .max(2 ** 30)
    .default(32 * 2 ** 20)
    .describe('Maximum size of a request body.'),
});

const { tokens_per_day, tokens_per_month, requests_per_day } = relayKeyTerms;
const budget = z
  .strictObject({ tokens_per_day, tokens_per_month, requests_per_day })
  .refine(hasBudget, 'must have a limit');

const clientKey = z.strictObject({
  name: name.describe('Name in the log.'),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be the SHA-256 of the key, 64 hex digits'),
  providers: z.array(name).max(64).optional().describe('Default: all providers.'),
  models: relayKeyTerms.models,
  chat_models: z
    .boolean()
    .optional()
    .describe('Whether lists of models leave out embeddings, images, speech and others.'),
  expires: relayKeyTerms.expires,
  budget: budget.optional().describe('Limits that survive a restart; they need usage_folder.'),
  budget_per_person: budget
    .optional()
    .describe('Budget of each user of the chat UI, which shares one key.'),
  limits: limits.prefault({}),
});

const seconds = z.number().positive().max(3600);

const relayFields = z.strictObject({
  listen: z
    .strictObject({
      host: z.string().min(1).max(253).default('0.0.0.0'),
      port: z.int().min(0).max(65535).default(8080),
    })
    .prefault({}),
  providers: z.record(name, provider).default({}),
  hub: hub
    .optional()
    .describe(
      'Model hub of /hub/models/<model>; base_url replaces /hub. Default key: HUB_API_KEY.',
    ),
  local: z
    .strictObject({
      base_url: baseUrl,
      list_urls: z.array(baseUrl).max(100).default([]),
      context: z.int().min(1).optional(),
    })
    .optional()
    .describe(
      'Ollama, as the provider local: its URL, without a path; list_urls list more models that it serves, context is the tokens of a conversation.',
    ),
  default_provider: name.optional().describe('Provider of /v1. Default: the first provider.'),
  keys: z.array(clientKey).max(1000).default([]),
  origins: relayOrigins
    .default([])
    .describe('Origins whose pages may use the relay with a key, or *. Default: none.'),
  usage_folder: z
    .string()
    .min(1)
    .max(512)
    .optional()
    .describe('Folder for the usage of keys with a budget, which the relay must own.'),
  gateway: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{0,252}$/i, 'must be a host name or an address')
    .optional()
    .describe('Host name of the reverse proxy whose X-Real-IP is the address of the client.'),
  timeouts: z
    .strictObject({
      connect: seconds.default(15),
      first_byte: seconds.default(600).describe('Until the response headers.'),
      idle: seconds.default(300).describe('Between two chunks of a stream.'),
      client: seconds.default(120).describe('Until a client that does not read is disconnected.'),
    })
    .prefault({})
    .describe('Timeouts of providers and clients, in seconds.'),
  concurrency: z
    .int()
    .min(1)
    .max(10_000)
    .default(64)
    .describe('Concurrent requests of all keys; each may use about 2 MB of memory.'),
  route: siteSchema.shape.route,
  ca_file: z
    .string()
    .min(1)
    .max(512)
    .optional()
    .describe('PEM file of additional certificate authorities to trust.'),
});

export const relayConfigSchema = relayFields.superRefine(checkRules);

/** The settings with every default filled in. */
export type RelayConfig = z.infer<typeof relayConfigSchema>;
export type KeyLimits = z.infer<typeof limits>;

function isPlain({ username, password, search, hash }: URL): boolean {
  return [username, password, search, hash].every((part) => part === '');
}

/** Returns whether the usage of a key must survive a restart. */
export function hasStoredBudget(key: z.infer<typeof clientKey>): boolean {
  return key.budget !== undefined || key.budget_per_person !== undefined;
}

/** Checks rules that span several fields. */
function checkRules(config: z.infer<typeof relayFields>, context: z.RefinementCtx): void {
  const complain = (path: Array<string | number>, message: string) =>
    context.addIssue({ code: 'custom', path, message });
  const isProvider = (provider: string) => Object.hasOwn(config.providers, provider);
  const { default_provider: main, keys, hub, local } = config;
  const isKnown = (provider: string) =>
    isProvider(provider) || (provider === 'hub' && !!hub) || (provider === 'local' && !!local);
  if (main !== undefined && !isProvider(main))
    complain(['default_provider'], 'is not one of providers');
  if (local && isProvider('local')) complain(['local'], 'is also the name of a provider');
  if (hub && isProvider('hub')) complain(['hub'], 'is also the name of a provider');
  for (const [index, key] of keys.entries()) {
    const { name: own, sha256, providers = [] } = key;
    if (keys.findIndex((other) => other.name === own || other.sha256 === sha256) !== index)
      complain(['keys', index], 'repeats the name or the SHA-256 of an earlier key');
    if (hasStoredBudget(key) && config.usage_folder === undefined)
      complain(['keys', index], 'has a budget, but usage_folder is not set');
    if (!providers.every(isKnown))
      complain(['keys', index, 'providers'], 'contains an unknown provider');
  }
}

/**
 * Parses the settings of a relay.
 * @param text JSON
 * @param where name of the text in error messages
 * @throws LandfallError CONFIG_SYNTAX, CONFIG_INVALID with every problem
 */
export function readConfig(text: string, where: string): RelayConfig {
  const value = parseJson(text);
  if (value === undefined) {
    // The message of the parser quotes the text, which may hold secrets.
    throw new LandfallError('CONFIG_SYNTAX', `${where} is not valid JSON`, {
      hint: 'Compare the file with the example in relay.md of the documentation.',
    });
  }
  const parsed = relayConfigSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new LandfallError('CONFIG_INVALID', `${where} is not a valid relay configuration`, {
    hint: 'Fix the problems above; relay.md of the documentation describes every field.',
    problems: schemaProblems(parsed.error.issues),
  });
}
