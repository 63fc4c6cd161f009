import type { Language, Text } from '#contract/text/language.ts';
import type { StackInput } from '../stack-input.ts';

/** A page of the server's documentation, generated for its site. */
export interface Page {
  /** Part of its path: `/agents/<name>.md` is Markdown, `/agents/<name>` is HTML or Markdown. */
  readonly name: string;
  readonly title: Text;
  /** One sentence in the list of pages. */
  readonly summary: Text;
  /** Markdown below the title. */
  readonly body: Text;
}

export type WritePage = (input: StackInput) => Page;

/** A block of Markdown: a text in each language, or the same in both. */
type Block = Text | string;

/** Joins blocks to the body of a page. */
export function bodyOf(...blocks: readonly Block[]): Text {
  const inLanguage = (language: Language) =>
    blocks.map((each) => (typeof each === 'string' ? each : each[language])).join('\n\n');
  return { en: inLanguage('en'), zh: inLanguage('zh') };
}

/** Formats a Markdown code block. */
export function code(language: string, ...lines: readonly string[]): string {
  return ['```'.concat(language), ...lines, '```'].join('\n');
}

/** Returns the path of a page on its host, without an extension. */
export function pathOf(name: string, language: Language): string {
  return language === 'en' ? `/agents/${name}` : `/agents/${language}/${name}`;
}
