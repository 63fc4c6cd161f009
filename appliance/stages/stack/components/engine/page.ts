import { tunnelTo } from '#contract/site/endpoints.ts';
import { listedName } from '#contract/sizes/local-models.ts';
import { bodyOf, code, modelBlocks, tunnelBlocks, type WritePage } from '../../pages/page.ts';

/** Writes the page about local models (SPEC 4, E1 and E2). */
export const enginePage: WritePage = (input) => {
  const { site, models } = input;
  const { url } = tunnelTo(site, 'engine');
  const model = models?.chat ? listedName(models.chat) : 'NAME';
  return {
    name: 'engine',
    title: { en: 'The local models', zh: '本地模型' },
    summary: {
      en: "The models of this server, and Ollama's API through an SSH tunnel.",
      zh: '本服务器的模型，以及如何通过 SSH 隧道使用 Ollama 的 API。',
    },
    body: bodyOf(
      ...modelBlocks(models),
      ...(models?.hostedOnly
        ? [
            {
              en: 'To use this page, pull a chat model by hand first.',
              zh: '要使用本页的示例，请先手动下载一个聊天模型。',
            },
          ]
        : []),
      {
        en: 'The chat page uses these models. Programs reach them through Ollama. Ollama has no authentication, so its port is not reachable from outside, but users with an SSH login reach it through a tunnel.',
        zh: '聊天页面使用这些模型，程序则通过 Ollama 调用它们。Ollama 没有身份验证，因此其端口不对外开放；可以 SSH 登录的用户可通过隧道访问。',
      },
      ...tunnelBlocks(input, 'engine'),
      { en: '## List the models', zh: '## 列出模型' },
      code('sh', `curl ${url}/api/tags`),
      { en: '## Prompt a model', zh: '## 向模型提问' },
      code(
        'sh',
        `curl ${url}/api/generate \\`,
        `  -d '{"model": "${model}", "prompt": "Why?", "stream": false}'`,
      ),
      {
        en: `OpenAI's API is available at \`${url}/v1\`, with any key.`,
        zh: `\`${url}/v1\` 提供兼容 OpenAI 的 API，密钥可任意填写。`,
      },
    ),
  };
};
