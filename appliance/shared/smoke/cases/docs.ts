import { logCommand } from '#contract/component-names.ts';
import { inLanguage } from '#contract/text/language.ts';
import { callEndpoint, endpointOf } from '../endpoint.ts';
import { type Answer, expectStatus } from '../exchange.ts';
import { testsOf } from '../smoke-test.ts';
import type { SmokeTarget } from '../target.ts';

const files = '/var/lib/landfall/stack/docs';
const lookAt = {
  en: `${logCommand('gateway')}, and the files below ${files}`,
  zh: `${logCommand('gateway')}，以及 ${files} 下的文件`,
};
const page = '/agents/index';
const forBrowsers = 'text/html,application/xhtml+xml';
const forAgents = 'text/markdown';

/** Tests of the server's documentation pages (SPEC 4, E7). */
export const docsTests = testsOf('docs', [
  {
    name: 'docs-html',
    title: 'the documentation is HTML for browsers',
    chinese: '文档以 HTML 提供给浏览器',
    lookAt,
    run: async (target) => {
      const answer = await get(target, page, forBrowsers);
      expectKind(answer, 'text/html', '<');
      // Without Vary, a cache could return Markdown to browsers.
      if (!/\baccept\b/i.test(answer.header('vary') ?? '')) {
        throw new Error(
          inLanguage({
            en: 'the header Vary does not contain Accept',
            zh: '响应头 Vary 中没有 Accept',
          }),
        );
      }
    },
  },
  {
    name: 'docs-markdown',
    title: 'the documentation is Markdown for programs',
    chinese: '文档以 Markdown 提供给程序',
    lookAt,
    run: async (target) => {
      expectKind(await get(target, page, forAgents), 'text/markdown', '# ');
      expectKind(await get(target, `${page}.md`, forAgents), 'text/markdown', '# ');
    },
  },
  {
    name: 'docs-list',
    title: 'llms.txt lists the pages of the documentation',
    chinese: 'llms.txt 列出文档的页面',
    lookAt,
    run: async (target) => {
      const answer = await get(target, '/llms.txt', 'text/plain');
      expectKind(answer, 'text/plain', '# ');
      const [, first] = /\]\((\/agents\/[a-z-]+\.md)\)/.exec(answer.text) ?? [];
      if (!first)
        throw new Error(inLanguage({ en: 'llms.txt lists no page', zh: 'llms.txt 中没有页面' }));
      expectKind(await get(target, first, forAgents), 'text/markdown', '# ');
    },
  },
]);

async function get(target: SmokeTarget, path: string, accept: string): Promise<Answer> {
  return await callEndpoint(endpointOf(target, 'docs'), path, { headers: { accept } });
}

/** @throws Error when the content type is another, or the content does not match it */
function expectKind(answer: Answer, type: string, beginning: string): void {
  expectStatus(answer, 200);
  const found = answer.header('content-type') ?? 'none';
  if (!found.startsWith(type))
    throw new Error(
      inLanguage({
        en: `content type ${found} instead of ${type}`,
        zh: `内容类型为 ${found}，应为 ${type}`,
      }),
    );
  if (!answer.text.startsWith(beginning))
    throw new Error(inLanguage({ en: `the content is not ${type}`, zh: `内容不是 ${type}` }));
}
