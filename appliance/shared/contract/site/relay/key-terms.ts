import { z } from 'zod';

/** The fields of a relay key that a site and the settings of the relay share. */

const tokens = z.int().min(1).max(1e12);

export const relayKeyTerms = {
  models: z
    .array(
      z
        .string()
        .max(256)
        .regex(
          /^[\w/@][\w.:@/-]*\*?$/,
          'must be the name of a model, a prefix such as text-embedding-*, or a path such as /audio/transcriptions',
        ),
    )
    .min(1)
    .max(64)
    .optional()
    .describe('Models that the key may use: names, or prefixes with `*`. Default: all models.'),
  tokens_per_day: tokens.optional().describe('Tokens of prompts and answers per day, in UTC.'),
  tokens_per_month: tokens.optional().describe('Tokens per calendar month, in UTC.'),
  requests_per_day: z.int().min(1).max(1e9).optional().describe('Requests per day, in UTC.'),
  expires: z.iso
    .date('must be a date such as 2027-03-31')
    .optional()
    .describe('Last day on which the key is valid, in UTC.'),
};
