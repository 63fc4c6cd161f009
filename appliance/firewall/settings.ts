import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { firewallSettingsFile } from '#contract/server-paths.ts';
import { openingText } from '#contract/site/opening.ts';
import { schemaProblems } from '#contract/text/schema-problems.ts';
import { readText } from '../host/files.ts';
import type { Host } from '../host/host.ts';

const settingsSchema = z.strictObject({
  /** Ports that answer from outside, besides SSH, 80, 443 and the site's own. */
  allow: z.array(openingText).max(256).default([]),
  /** Ports of the site, 80 or 443 that are closed all the same. SSH cannot be among them. */
  deny: z.array(openingText).max(256).default([]),
});

/** What the owner opened and closed by hand. */
export type FirewallSettings = z.infer<typeof settingsSchema>;

/**
 * Reads what the owner opened and closed; nothing where the file is not there.
 * @throws LandfallError FIREWALL_INVALID with every flaw
 */
export async function readSettings(host: Host): Promise<FirewallSettings> {
  const text = (await readText(host, firewallSettingsFile)) ?? '{}';
  const parsed = settingsSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new LandfallError('FIREWALL_INVALID', `/${firewallSettingsFile} is not valid`, {
    hint: 'The firewall stays as it is. Mend the file, or remove it to open what is always open.',
    problems: schemaProblems(parsed.error.issues),
  });
}

/** The text of that file. */
export function formatSettings(settings: FirewallSettings): string {
  return `${JSON.stringify(settings, null, 2)}\n`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
