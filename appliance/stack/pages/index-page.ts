import type { Language } from '#contract/text/language.ts';
import type { StackInput } from '../stack-input.ts';
import { publicUrlOf } from './addresses.ts';
import { hostedBlocks, modelBlocks } from './models.ts';
import { bodyOf, type Page, pathOf } from './page.ts';

/** Writes the page that lists the others. */
export function indexPage(input: StackInput, pages: readonly Page[]): Page {
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
        ? {
            en: `The chat is available through an SSH tunnel: [how to open it](${pathOf('chat', 'en')}).`,
            zh: `聊天页面需通过 SSH 隧道访问：[查看方法](${pathOf('chat', 'zh')})。`,
          }
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
