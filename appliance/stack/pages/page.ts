import type { StackInput } from '../stack-input.ts';

/** A page of the server's documentation, generated for its site. */
export interface Page {
  /** Part of its path: `/agents/<name>.md` is Markdown, `/agents/<name>` is HTML or Markdown. */
  readonly name: string;
  readonly title: string;
  /** One sentence in the list of pages. */
  readonly summary: string;
  /** Markdown below the title. */
  readonly body: string;
}

export type WritePage = (input: StackInput) => Page;

/** Formats a Markdown code block. */
export function code(language: string, ...lines: readonly string[]): string {
  return ['```'.concat(language), ...lines, '```'].join('\n');
}
