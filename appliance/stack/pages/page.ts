import type { StackInput } from '../stack-input.ts';

/** A page of the server's own documentation, written for its site. */
export interface Page {
  /** Its place: `/agents/<name>.md` as Markdown, `/agents/<name>` as HTML or Markdown. */
  readonly name: string;
  readonly title: string;
  /** One sentence for the list of pages. */
  readonly summary: string;
  /** Markdown below the title. */
  readonly body: string;
}

export type WritePage = (input: StackInput) => Page;

/** A block of code. */
export function code(language: string, ...lines: readonly string[]): string {
  return ['```'.concat(language), ...lines, '```'].join('\n');
}
