import { LandfallError } from '#contract/errors.ts';
import { schemaProblems } from '#contract/text/schema-problems.ts';
import { type RelayConfig, relayConfigSchema } from './config.ts';

/**
 * Reads the settings of a relay.
 * @param text JSON
 * @param where what the text is, for messages
 * @throws LandfallError CONFIG_SYNTAX, CONFIG_INVALID with every problem
 */
export function readConfig(text: string, where: string): RelayConfig {
  const parsed = relayConfigSchema.safeParse(parseJson(text, where));
  if (parsed.success) return parsed.data;
  throw new LandfallError('CONFIG_INVALID', `${where} does not hold valid settings of a relay`, {
    hint: 'docs/relay.md says what every field means.',
    problems: schemaProblems(parsed.error.issues),
  });
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser would quote the text.
    throw new LandfallError('CONFIG_SYNTAX', `${where} is not JSON`, {
      hint: 'docs/relay.md has an example.',
    });
  }
}
