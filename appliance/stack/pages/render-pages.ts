import { componentNames } from '#contract/component-names.ts';
import { componentCode } from '../components/registry.ts';
import { plainFile, type RenderedFile } from '../rendered-file.ts';
import type { StackInput } from '../stack-input.ts';
import { chatPage } from './chat-page.ts';
import { markdownToHtml } from './markdown.ts';
import type { Page } from './page.ts';
import { pageStyle } from './page-style.ts';

const writers = [chatPage, ...componentNames.flatMap((name) => componentCode[name]?.page ?? [])];

/**
 * Renders the server's documentation as Markdown and HTML, with a machine-readable list (`llms.txt`).
 * SPEC 4, E7.
 */
export function renderPages(input: StackInput): RenderedFile[] {
  const pages = writers.map((write) => write(input));
  const index: Page = {
    name: 'index',
    title: 'This server',
    summary: 'All pages.',
    body: [
      'A private AI server. These pages describe how to use it:',
      pages
        .map(({ name, title, summary }) => `- [${title}](/agents/${name}): ${summary}`)
        .join('\n'),
      'The same pages as Markdown, for programs: [llms.txt](/llms.txt).',
    ].join('\n\n'),
  };
  return [
    ...[index, ...pages].flatMap((page) => [
      plainFile(`docs/agents/${page.name}.md`, markdownOf(page)),
      plainFile(`docs/agents/${page.name}.html`, htmlOf(page)),
    ]),
    plainFile('docs/llms.txt', listFor(pages)),
  ];
}

function markdownOf({ title, body }: Page): string {
  return `# ${title}\n\n${body}\n`;
}

/** Formats the list as https://llmstxt.org specifies. */
function listFor(pages: readonly Page[]): string {
  const lines = pages.map(
    ({ name, title, summary }) => `- [${title}](/agents/${name}.md): ${summary}`,
  );
  return `# This server\n\n> A private AI server: local models, hosted models, a proxy.\n\n## Pages\n\n${lines.join('\n')}\n`;
}

function htmlOf(page: Page): string {
  const back = page.name === 'index' ? '' : '<p><a href="/agents/index">All pages</a></p>\n';
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title}</title>
<link rel="alternate" type="text/markdown" href="/agents/${page.name}.md">
<style>${pageStyle}</style>
${back}${markdownToHtml(markdownOf(page))}</html>
`;
}
