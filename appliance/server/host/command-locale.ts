import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { siteFile } from '#contract/server-paths.ts';
import { type Language, languageOfLocale, languages } from '#contract/text/language.ts';
import { timeZone } from '#contract/text/time-zone.ts';

interface Locale {
  readonly language: Language;
  /** Undefined: that of the system. */
  readonly timezone: string | undefined;
}

/**
 * Returns the locale of commands on a server: that of the site, else the language of the terminal and
 * the time zone of the system. Only root can read the site, and a damaged one is reported by the
 * command that needs it.
 */
export async function commandLocale(root: string, env: NodeJS.ProcessEnv): Promise<Locale> {
  const { language, timezone } = await siteFields(root);
  return {
    language: languages.find((known) => known === language) ?? languageOfLocale(env),
    // The stage `kernel` sets the zone of the site for the system, so other users see it as well.
    timezone: timezone === undefined ? undefined : timeZone.safeParse(timezone).data,
  };
}

async function siteFields(root: string): Promise<{ language?: unknown; timezone?: unknown }> {
  try {
    return Object(JSON.parse(await readFile(join(root, siteFile), 'utf8')));
  } catch {
    // Absent, unreadable or damaged.
    return {};
  }
}
