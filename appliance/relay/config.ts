import { z } from 'zod';
import { siteSchema } from '#contract/site/site.ts';

/**
 * The settings of a relay. There is no secret in them: a provider's key lies in a file or a
 * variable of its own, and of a relay key only the SHA-256 is known here.
 */

const name = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be a short name in lower case, such as openai');

const baseUrl = z
  .url({ protocol: /^https?$/, error: 'must be a URL such as https://api.openai.com/v1' })
  .max(1024)
  .refine((text) => isPlain(new URL(text)), 'must have no user, no query and no fragment');

const provider = z.strictObject({
  base_url: baseUrl.describe('What stands in for /v1: https://api.openai.com/v1.'),
  key_file: z
    .string()
    .min(1)
    .max(512)
    .optional()
    .describe('File with the key, from the folder of this file. Left out: see key_env.'),
  key_env: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]{0,63}$/, 'must be the name of a variable, such as OPENAI_API_KEY')
    .optional()
    .describe('Variable with the key. Left out: OPENAI_API_KEY for the provider openai.'),
});

const limits = z.strictObject({
  requests_per_minute: z.int().min(1).max(100_000).default(240),
  concurrency: z.int().min(1).max(10_000).default(16).describe('Requests at a time.'),
  body_bytes: z
    .int()
    .min(1)
    .max(2 ** 30)
    .default(32 * 2 ** 20)
    .describe('Size of a request.'),
});

const clientKey = z.strictObject({
  name: name.describe('For the log.'),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be the SHA-256 of the key, 64 hex digits'),
  providers: z.array(name).max(64).optional().describe('Left out: all of them.'),
  limits: limits.prefault({}),
});

const seconds = z.number().positive().max(3600);

export const relayConfigSchema = z
  .strictObject({
    listen: z
      .strictObject({
        host: z.string().min(1).max(253).default('0.0.0.0'),
        port: z.int().min(0).max(65535).default(8080),
      })
      .prefault({}),
    providers: z.record(name, provider).default({}),
    default_provider: name.optional().describe('Serves /v1; left out: the first one.'),
    keys: z.array(clientKey).max(1000).default([]),
    timeouts: z
      .strictObject({
        connect: seconds.default(15),
        first_byte: seconds.default(600).describe('Until the head of the answer.'),
        idle: seconds.default(300).describe('Between two pieces of a stream.'),
        client: seconds.default(120).describe('That a client may take nothing of its answer.'),
      })
      .prefault({})
      .describe('Seconds that a provider may stay silent, or a client idle.'),
    concurrency: z
      .int()
      .min(1)
      .max(10_000)
      .default(64)
      .describe('Requests at a time of all keys together; each may use about 2 MB of memory.'),
    route: siteSchema.shape.route,
    ca_file: z
      .string()
      .min(1)
      .max(512)
      .optional()
      .describe('PEM of authorities to trust besides the known ones.'),
  })
  .superRefine(judge);

/** The settings with every default filled in. */
export type RelayConfig = z.infer<typeof relayConfigSchema>;
export type KeyLimits = z.infer<typeof limits>;

function isPlain({ username, password, search, hash }: URL): boolean {
  return [username, password, search, hash].every((part) => part === '');
}

/** What no single field can tell. */
function judge(
  config: Pick<RelayConfigParts, 'providers' | 'default_provider' | 'keys'>,
  context: z.RefinementCtx,
): void {
  const complain = (path: Array<string | number>, message: string) =>
    context.addIssue({ code: 'custom', path, message });
  const isKnown = (provider: string) => Object.hasOwn(config.providers, provider);
  const { default_provider: main, keys } = config;
  if (main !== undefined && !isKnown(main)) complain(['default_provider'], 'is none of providers');
  for (const [provider, { key_file: file, key_env: variable }] of Object.entries(
    config.providers,
  )) {
    if (file !== undefined && variable !== undefined)
      complain(['providers', provider], 'has its key in a file and in a variable');
  }
  for (const [index, { name: own, sha256, providers = [] }] of keys.entries()) {
    if (keys.findIndex((other) => other.name === own || other.sha256 === sha256) !== index)
      complain(['keys', index], 'has the name or the key of an earlier one');
    if (!providers.every(isKnown)) complain(['keys', index, 'providers'], 'names an unknown one');
  }
}

interface RelayConfigParts {
  readonly providers: Readonly<Record<string, z.infer<typeof provider>>>;
  readonly default_provider?: string | undefined;
  readonly keys: ReadonlyArray<z.infer<typeof clientKey>>;
}
