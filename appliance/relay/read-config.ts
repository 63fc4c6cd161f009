import { LandfallError } from '#contract/errors.ts';
import { schemaProblems } from '#contract/text/schema-problems.ts';
import { type RelayConfig, relayConfigSchema } from './config.ts';

/**
 * Parses the settings of a relay.
 * @param text JSON
 * @param where name of the text in error messages
 * @throws LandfallError CONFIG_SYNTAX, CONFIG_INVALID with every problem
 */
export function readConfig(text: string, where: string): RelayConfig {
  const parsed = relayConfigSchema.safeParse(parseJson(text, where));
  if (parsed.success) return parsed.data;
  throw new LandfallError('CONFIG_INVALID', `${where} is not a valid relay configuration`, {
    hint: 'Fix the problems above; docs/relay.md describes every field.',
    problems: schemaProblems(parsed.error.issues),
  });
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The message of the parser quotes the text, which may hold secrets.
    throw new LandfallError('CONFIG_SYNTAX', `${where} is not valid JSON`, {
      hint: 'Compare the file with the example in docs/relay.md.',
    });
  }
}
