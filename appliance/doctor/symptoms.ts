import { readFileSync } from 'node:fs';
import type { Language } from '#contract/text/language.ts';

/** A fault that only a person sees. */
interface Symptom {
  /** Short stable name for the command line: `editor-code`. */
  readonly name: string;
  /** What the person sees. */
  readonly title: string;
  /** Causes with their remedies, as Markdown without marks of bold text. */
  readonly text: string;
}

/**
 * The symptoms in the pages of the doctor, in their order. A bundle contains this value instead of
 * the pages (`builder/bundle/program.ts`).
 */
export const symptoms: Readonly<Record<Language, readonly Symptom[]>> = {
  en: symptomsIn('doctor.md'),
  zh: symptomsIn('zh/doctor.md'),
};

function symptomsIn(page: string): Symptom[] {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8');
  const sections = text.split(/^### /m).slice(1);
  return sections.map((section) => {
    const [, name = '', title = '', body = ''] =
      /^`(.+?)`(?:: |：)(.+)([\s\S]*)$/.exec(section) ?? [];
    return { name, title, text: body.replaceAll('**', '').trim() };
  });
}
