import { pageStyle } from '../pages/page-style.ts';

/** Seconds after which browsers and clients try again. */
export const retrySeconds = 5;

const title = { en: 'This service is not available right now', zh: '服务暂时不可用' };

/** Paragraphs in both languages. Public, so they contain no names. */
const paragraphs = [
  {
    en: 'It is probably starting. This page refreshes automatically.',
    zh: '服务可能正在启动。本页会自动刷新。',
  },
  {
    en: 'Does this last longer than five minutes? The administrator can log in over SSH to see the reason:',
    zh: '超过五分钟仍未恢复？管理员可通过 SSH 登录，运行以下命令查看原因：',
  },
];

/** The page for browsers. At most 4,000 bytes, because nginx limits the length of a value. */
export const unavailablePage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="refresh" content="${retrySeconds}">
<title>${title.en} – Landfall</title>
<style>${pageStyle}</style>
<main>
<p class="name">Landfall</p>
<h1>${title.en} <span lang="zh-Hans">${title.zh}</span></h1>
${paragraphs.map(({ en, zh }) => `<p>${en}<br><span lang="zh-Hans">${zh}</span></p>`).join('\n')}
<pre><code>landfall status</code></pre>
</main>
</html>
`;

/** The response for programs, in OpenAI's error format, which the clients of the relay parse. */
export const unavailableJson = `${JSON.stringify({
  error: {
    message: 'the service is not available: it is starting, or it has stopped',
    type: 'api_error',
    param: null,
    code: 'service_unavailable',
  },
})}\n`;
