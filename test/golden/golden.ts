import { type Language, languages, setLanguage, type Text } from '#contract/text/language.ts';
import { setChineseRows } from '#contract/text/translated.ts';

/** What users see of one topic: texts by their path below `test/golden/files/<topic>`. */
export type GoldenFiles = ReadonlyMap<string, string>;

/** Renders the files of a topic from fixed inputs. */
export type Topic = () => GoldenFiles | Promise<GoldenFiles>;

/** A part of a file: what it is, and its text. */
export type Section = readonly [title: string, text: string];

/** The line above a part of a file. */
export function heading(title: string): string {
  return `━━━━ ${title}`;
}

/** Joins parts below their headings. */
export function sections(parts: Iterable<Section>): string {
  return [...parts].map(([title, text]) => `${heading(title)}\n${text.trimEnd()}\n`).join('\n');
}

/** Returns a text that is written to a file with the missing line break at its end made visible. */
export function wholeText(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n(no line break at the end)\n`;
}

/** Returns a document as commands print it with `--json`. */
export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** How a program sets its language. */
type Speak = (language: Language) => unknown;

/** Renders a text in each language. */
export async function inEachLanguage(
  render: () => string | Promise<string>,
  speak: Speak = setLanguage,
): Promise<Text> {
  const texts: string[] = [];
  try {
    for (const language of languages) {
      await speak(language);
      texts.push(await render());
    }
  } finally {
    setLanguage('en');
    setChineseRows({});
  }
  const [en = '', zh = ''] = texts;
  return { en, zh };
}

/** Returns a file for each language: `status.en.txt` and `status.zh.txt`. */
export async function forEachLanguage(
  name: string,
  render: () => string | Promise<string>,
  speak?: Speak,
): Promise<[string, string][]> {
  const texts = await inEachLanguage(render, speak);
  return languages.map((language) => [`${name}.${language}.txt`, texts[language]]);
}

/**
 * Formats the files of several sites. Where a site has the same file as an earlier one, its text is replaced by
 * the name of that site.
 */
export function filesBySite(
  sites: Iterable<readonly [site: string, files: Iterable<Section>]>,
): Map<string, string> {
  const known = new Map<string, string>();
  const rows = [...sites].map(([site, files]): [string, string] => {
    const shown = [...files].map(([path, text]): Section => {
      const key = `${path}\n${text}`;
      const earlier = known.get(key);
      if (earlier === undefined) known.set(key, site);
      return earlier === undefined ? [path, wholeText(text)] : [path, `(as in ${earlier})`];
    });
    return [`${site}.txt`, sections(shown)];
  });
  return new Map(rows);
}
