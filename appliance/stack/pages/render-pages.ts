import { componentNames } from '#contract/component-names.ts';
import { type Language, languages } from '#contract/text/language.ts';
import { componentCode } from '../components/registry.ts';
import { plainFile, type RenderedFile } from '../rendered-file.ts';
import type { StackInput } from '../stack-input.ts';
import { publicUrlOf } from './addresses.ts';
import { chatPage } from './chat-page.ts';
import { editorPage } from './editor-page.ts';
import { htmlOf } from './html.ts';
import { indexPage } from './index-page.ts';
import { type Page, pathOf } from './page.ts';

const writers = [
  chatPage,
  ...componentNames.flatMap((name) => componentCode[name]?.page ?? []),
  editorPage,
];

/**
 * Renders the server's documentation as Markdown and HTML, in English and Chinese, with a
 * machine-readable list (`llms.txt`). SPEC 4, E7.
 */
export function renderPages(input: StackInput): RenderedFile[] {
  const pages = writers.map((write) => write(input));
  const links = { chat: publicUrlOf(input, 'ui') };
  return [
    ...[indexPage(input, pages), ...pages].flatMap((page) =>
      languages.flatMap((language) => {
        const markdown = markdownOf(page, language);
        const path = `docs${pathOf(page.name, language)}`;
        return [
          plainFile(`${path}.md`, markdown),
          plainFile(`${path}.html`, htmlOf(page, markdown, language, links)),
        ];
      }),
    ),
    plainFile('docs/llms.txt', listFor(pages)),
  ];
}

function markdownOf({ title, body }: Page, language: Language): string {
  return `# ${title[language]}\n\n${body[language]}\n`;
}

/** Formats the list as https://llmstxt.org specifies. */
function listFor(pages: readonly Page[]): string {
  const lines = pages.map(
    ({ name, title, summary }) => `- [${title.en}](${pathOf(name, 'en')}.md): ${summary.en}`,
  );
  return `# Landfall\n\n> A private AI server: local models, hosted models, a proxy.\n\n## Pages\n\n${lines.join('\n')}\n`;
}
