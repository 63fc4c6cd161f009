import { type Language, languages, type Text } from '#contract/text/language.ts';
import { markdownToHtml } from './markdown.ts';
import { type Page, pathOf } from './page.ts';
import { pageStyle } from './page-style.ts';

/** Language tags of HTML (BCP 47). */
const tags: Text = { en: 'en', zh: 'zh-Hans' };
const names: Text = { en: 'English', zh: '中文' };
const labels = {
  pages: { en: 'All pages', zh: '所有页面' },
  chat: { en: 'Open the chat', zh: '打开聊天' },
  navigation: { en: 'Navigation', zh: '导航' },
} as const;

/** Where a page leads to. */
interface Links {
  /** Public URL of the chat UI; undefined: the page about the chat explains how to reach it. */
  readonly chat: string | undefined;
}

/** Renders a page as HTML, from its Markdown. */
export function htmlOf(
  { name, title }: Page,
  markdown: string,
  language: Language,
  { chat }: Links,
): string {
  const path = pathOf(name, language);
  return `<!doctype html>
<html lang="${tags[language]}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title[language]} – Landfall</title>
<link rel="alternate" type="text/markdown" href="${path}.md">
<style>${pageStyle}</style>
<header>
<a class="name" href="${pathOf('index', language)}">Landfall</a>
<nav aria-label="${labels.navigation[language]}">
${linkTo(pathOf('index', language), labels.pages[language], name === 'index')}
<a href="${chat ?? pathOf('chat', language)}">${labels.chat[language]}</a>
${languages
  .filter((other) => other !== language)
  .map(
    (other) =>
      `<a href="${pathOf(name, other)}" lang="${tags[other]}" hreflang="${tags[other]}">${names[other]}</a>`,
  )
  .join('\n')}
</nav>
</header>
<main>
${markdownToHtml(markdown)}</main>
</html>
`;
}

function linkTo(path: string, label: string, isCurrent: boolean): string {
  return `<a href="${path}"${isCurrent ? ' aria-current="page"' : ''}>${label}</a>`;
}
