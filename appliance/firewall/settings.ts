import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { firewallSettingsFile } from '#contract/server-paths.ts';
import { openingText } from '#contract/site/opening.ts';
import { parseJson } from '#contract/text/json.ts';
import { schemaProblems } from '#contract/text/schema-problems.ts';
import { readText } from '../host/files.ts';
import type { Host } from '../host/host.ts';

const settingsSchema = z.strictObject({
  /** Open ports besides SSH, 80, 443 and those of the site. */
  allow: z.array(openingText).max(256).default([]),
  /** Ports of the site, 80 or 443 to close. SSH cannot be closed. */
  deny: z.array(openingText).max(256).default([]),
});

/** Ports that the administrator opened and closed. */
export type FirewallSettings = z.infer<typeof settingsSchema>;

/**
 * Reads the administrator's settings; empty if the file is missing.
 * @throws LandfallError FIREWALL_INVALID with all problems
 */
export async function readSettings(host: Host): Promise<FirewallSettings> {
  const text = (await readText(host, firewallSettingsFile)) ?? '{}';
  const parsed = settingsSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new LandfallError('FIREWALL_INVALID', `/${firewallSettingsFile} is not valid`, {
    hint: 'Fix the file, or remove it to restore the default ports. The firewall was not changed.',
    problems: schemaProblems(parsed.error.issues),
  });
}

/** Renders the settings file. */
export function formatSettings(settings: FirewallSettings): string {
  return `${JSON.stringify(settings, null, 2)}\n`;
}
