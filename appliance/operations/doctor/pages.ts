import { readFileSync } from 'node:fs';
import type { Language } from '#contract/text/language.ts';

/** What the documentation says about the findings and symptoms of the doctor. */
interface Page {
  /** By code. */
  readonly findings: Readonly<Record<string, FindingText>>;
  readonly symptoms: readonly Symptom[];
}

interface FindingText {
  /** What it means. */
  readonly meaning: string;
  /** What to do, in whole sentences. */
  readonly remedy: string;
}

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
 * The pages of the doctor, without links. A bundle contains this value instead of the pages
 * (`builder/bundle/archive/program.ts`).
 */
export const pages: Readonly<Record<Language, Page>> = {
  en: pageAt('doctor.md'),
  zh: pageAt('zh/doctor.md'),
};

function pageAt(path: string): Page {
  const markdown = readFileSync(new URL(`../../../docs/${path}`, import.meta.url), 'utf8');
  const text = markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('**', '');
  const rows = text.matchAll(/^\| `([A-Z_]+)` \| (.+?) \| (.+) \|$/gm);
  const sections = text.split(/^### /m).slice(1);
  return {
    findings: Object.fromEntries(
      [...rows].map(([, code, meaning = '', remedy = '']) => [code, { meaning, remedy }]),
    ),
    symptoms: sections.map((section) => {
      const [, name = '', title = '', body = ''] =
        /^`(.+?)`(?:: |：)(.+)([\s\S]*)$/.exec(section) ?? [];
      return { name, title, text: body.trim() };
    }),
  };
}
