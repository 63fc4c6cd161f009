import { readFileSync } from 'node:fs';
import type { Language } from '#contract/text/language.ts';

/** A field of site.yaml in the documentation. The texts are Markdown with code. */
export interface SiteField {
  /** Such as `tls.server.url`; `[]` stands for an entry of a list, `<name>` for a key. */
  readonly name: string;
  readonly type: string;
  /** Also whether it is required; empty: it has none. */
  readonly default: string;
  readonly meaning: string;
}

/**
 * The fields of site.yaml, parents before children. A bundle contains this value instead of the pages
 * (`builder/bundle/archive/program.ts`).
 */
export const siteFields: Readonly<Record<Language, readonly SiteField[]>> = {
  en: fieldsIn('site.md'),
  zh: fieldsIn('zh/site.md'),
};

function fieldsIn(path: string): SiteField[] {
  const markdown = readFileSync(new URL(`../../../../docs/${path}`, import.meta.url), 'utf8');
  const [, table = ''] = /<!-- fields([\s\S]*)<!-- \/fields/.exec(markdown) ?? [];
  const text = table.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('**', '');
  const rows = text.matchAll(/^\| `([^`]+)` \| (.*?) \| (.*?) \| (.*) \|$/gm);
  return [...rows].map(([, name = '', type = '', preset = '', meaning = '']) => ({
    ...{ name, type, default: preset.trim(), meaning: meaning.replaceAll('\\|', '|') },
  }));
}
