import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { siteFile } from '#contract/server-paths.ts';
import { type Language, languageOfLocale, languages } from '#contract/text/language.ts';

/**
 * Returns the language of commands on a server: that of the site, else that of the terminal. Only root
 * can read the site, and a damaged one is reported by the command that needs it.
 */
export async function commandLanguage(root: string, env: NodeJS.ProcessEnv): Promise<Language> {
  try {
    const site = JSON.parse(await readFile(join(root, siteFile), 'utf8')) as { language?: unknown };
    const known = languages.find((language) => language === site.language);
    if (known !== undefined) return known;
  } catch {
    // Absent, unreadable or damaged.
  }
  return languageOfLocale(env);
}
