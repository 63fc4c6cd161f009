import { z } from 'zod';
import { bareUrl } from '../urls.ts';
import { providerApis } from './provider-api.ts';

const provider = z.strictObject({
  base_url: bareUrl.describe(
    'The API base, to which /chat/completions is appended. The key is set on the server, never here.',
  ),
  api: z
    .enum(providerApis)
    .optional()
    .describe(
      'The format of its API, which clients then use: openai (default), anthropic, gemini.',
    ),
  plain: z
    .literal('i-understand')
    .optional()
    .describe(
      'A machine of your own, also with http, which the network can read. Only the relay reaches it, and its key is optional.',
    ),
  models: z
    .array(
      z
        .string()
        .max(128)
        // The front-ends read lists that are separated by commas, with signs before a name.
        .regex(/^[A-Za-z0-9][\w./:-]*$/, 'must be the name of a model, such as deepseek-chat'),
    )
    .min(1)
    .max(32)
    .optional()
    .describe(
      'Models that the chat and the front-ends offer, the first one preselected in front-ends. Default: those that the provider lists, else common ones.',
    ),
});

/** The providers of a site by name. */
export const providers = z
  .record(
    z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be a short name in lower case')
      // Otherwise its key on the server could have the name of a relay key.
      .regex(/^(?!relay-key)/, 'must not begin with relay-key'),
    provider,
  )
  .default({})
  .describe('Hosted providers of the relay, with one base path each.');
