import type { Component } from '#contract/component.ts';
import { componentNames, componentOf } from '#contract/component-names.ts';
import type { ComponentName } from '#contract/components.ts';
import { isEnabled } from '#contract/site/enabled.ts';
import { tunnelTo } from '#contract/site/endpoints.ts';
import { type Language, languages, type Text } from '#contract/text/language.ts';
import { componentCode } from '../components/registry.ts';
import { plainFile, type RenderedFile } from '../rendered-file.ts';
import type { StackInput } from '../stack-input.ts';
import { editorPage } from './editor-page.ts';
import { markdownToHtml } from './markdown.ts';
import {
  bodyOf,
  hostedBlocks,
  modelBlocks,
  type Page,
  pageStyle,
  pathOf,
  publicUrlOf,
  tunnelBlocks,
  unknownAddressBlock,
  type WritePage,
} from './page.ts';
import { sitePage } from './site-page.ts';

const howToSignIn: Readonly<Record<NonNullable<Component['page']>['access'], Text>> = {
  account: {
    en: 'Sign in with your email address and password. The administrator creates the accounts; sign-up is disabled. `sudo landfall credentials` shows the email address and the password of the administrator.',
    zh: '用邮箱地址和密码登录。账号由管理员创建，不开放注册。管理员自己的邮箱和密码用 `sudo landfall credentials` 查看。',
  },
  'access-code': {
    en: 'It requires an access code, which the administrator prints with `sudo landfall credentials`.',
    zh: '需要访问码，由管理员用 `sudo landfall credentials` 查看。',
  },
};

/** Writes the page about the chat UIs. */
const chatPage: WritePage = (input) => ({
  name: 'chat',
  title: { en: 'Chat in the browser', zh: '在浏览器中聊天' },
  summary: {
    en: 'The addresses of the chat pages, and how to sign in.',
    zh: '聊天页面的地址和登录方式。',
  },
  body: bodyOf(...componentNames.flatMap((name) => blocksOf(input, name))),
});

function blocksOf(input: StackInput, name: ComponentName): (Text | string)[] {
  const { site, models } = input;
  const { page } = componentOf(name);
  if (!page || !isEnabled(site, name)) return [];
  const outside = publicUrlOf(input, name);
  const unknown = outside === undefined ? unknownAddressBlock(input, name) : undefined;
  const url = outside ?? tunnelTo(site, name)?.url;
  const open = { en: `Open [${url}](${url}).`, zh: `打开 [${url}](${url})。` };
  return [
    { en: `## ${page.heading.en}`, zh: `## ${page.heading.zh}` },
    ...(outside === undefined && !unknown ? tunnelBlocks(input, name) : []),
    unknown ?? open,
    howToSignIn[page.access],
    ...(name === 'ui' ? [...modelBlocks(models), ...hostedBlocks(site)] : []),
  ];
}

const writers = [
  chatPage,
  ...componentNames.flatMap((name) => componentCode[name]?.page ?? []),
  editorPage,
  sitePage,
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

/** Writes the page that lists the others. */
function indexPage(input: StackInput, pages: readonly Page[]): Page {
  const url = publicUrlOf(input, 'ui');
  const list = (language: Language) =>
    pages
      .map(({ name, title, summary }) => {
        const colon = language === 'en' ? ': ' : '：';
        return `- [${title[language]}](${pathOf(name, language)})${colon}${summary[language]}`;
      })
      .join('\n');
  return {
    name: 'index',
    title: { en: 'This AI server', zh: '这台 AI 服务器' },
    summary: { en: 'All pages.', zh: '所有页面。' },
    body: bodyOf(
      url === undefined
        ? (unknownAddressBlock(input, 'ui') ?? {
            en: `The chat is available through an SSH tunnel: [how to open it](${pathOf('chat', 'en')}).`,
            zh: `聊天页面需通过 SSH 隧道访问：[查看方法](${pathOf('chat', 'zh')})。`,
          })
        : {
            en: `Open the chat: [${url}](${url})`,
            zh: `打开聊天页面：[${url}](${url})`,
          },
      ...modelBlocks(input.models),
      ...hostedBlocks(input.site),
      { en: 'How to use this server:', zh: '使用说明：' },
      { en: list('en'), zh: list('zh') },
      {
        en: 'The same pages as Markdown, for programs: [llms.txt](/llms.txt).',
        zh: '供程序读取的 Markdown 版本：[llms.txt](/llms.txt)。',
      },
    ),
  };
}

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
function htmlOf(
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
