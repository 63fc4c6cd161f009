import { agents } from '#clients/agents.ts';
import { settingsOf } from '#clients/client-document.ts';
import { tunnelTo } from '#contract/site/endpoints.ts';
import { openaiProviders } from '#contract/site/providers/provider-api.ts';
import type { Site } from '#contract/site/site.ts';
import { inLanguage, languages, type Text } from '#contract/text/language.ts';
import { bodyOf, code, publicUrlOf, tunnelBlocks, type WritePage } from '../../pages/page.ts';
import type { StackInput } from '../../stack-input.ts';
import { localModelOf } from './client-api.ts';
import { servedApis } from './served-apis.ts';

/** Writes the page about the relay (SPEC 4, E3 and E5). */
export const relayPage: WritePage = (input) => {
  const { site } = input;
  const outside = publicUrlOf(input, 'relay');
  const url = outside ?? tunnelTo(site, 'relay').url;
  const base = `${url}/${sdkProvider(site)}/v1`;
  const bases = basesOf(site, url);
  const known = bases.length > 0;
  const targets = [...Object.keys(site.providers), ...(site.relay.local ? ['local'] : [])];
  return {
    name: 'relay',
    title: { en: 'The relay', zh: '中继' },
    summary: {
      en: "Hosted models under this server's address, with a relay key instead of a provider's key.",
      zh: '通过本服务器的地址调用云端模型，使用中继密钥，无需模型服务商的密钥。',
    },
    body: bodyOf(
      {
        en: `The relay has OpenAI's API and forwards requests to ${known ? targets.join(', ') : 'the providers that the administrator configures'}. Use its URL as the base URL and a relay key as the API key. Everything else works as in the provider's documentation, including streaming.`,
        zh: `中继兼容 OpenAI 的 API，把请求转发到${known ? ` ${targets.join('、')}` : '管理员配置的模型服务商'}。把它的地址作为 base URL，把中继密钥作为 API key，其余用法与模型服务商文档一致，包括流式输出。`,
      },
      ...(outside === undefined ? tunnelBlocks(input, 'relay') : []),
      { en: '## Relay key', zh: '## 中继密钥' },
      {
        en: 'The administrator of this server prints it with `sudo landfall credentials`. It is valid for this relay only.',
        zh: '由服务器管理员用 `sudo landfall credentials` 查看。密钥仅对此中继有效。',
      },
      { en: '## With an SDK', zh: '## 使用 SDK' },
      code(
        'python',
        'from openai import OpenAI',
        'client = OpenAI(',
        `    base_url="${base}",`,
        '    api_key="RELAY_KEY",',
        ')',
        'print(client.models.list())',
      ),
      { en: '## With curl', zh: '## 使用 curl' },
      code('sh', `curl ${base}/models \\`, '  -H "Authorization: Bearer RELAY_KEY"'),
      { en: '## Base URLs', zh: '## 各模型服务商的 base URL' },
      known
        ? bases.join('\n')
        : { en: 'No provider is configured yet.', zh: '尚未配置模型服务商。' },
      ...agentBlocks(input, url),
    ),
  };
};

/** Returns the settings of coding agents for the APIs of this site. */
function agentBlocks({ site, models, server }: StackInput, origin: string): Text[] {
  const local = models && localModelOf(models, server, site);
  const served = servedApis(site, { origin, local });
  const blocks = agents.flatMap((client) => {
    const inEach = languages.map((language) =>
      settingsOf(
        client,
        (api) => served[api],
        (text) => inLanguage(text, language),
      ),
    );
    const [en = [], zh = []] = inEach;
    if (en.length === 0) return [];
    const { title } = client;
    return [
      { en: `### ${title.en}`, zh: `### 配置 ${title.zh}` },
      { en: en.join('\n\n'), zh: zh.join('\n\n') },
    ];
  });
  if (blocks.length === 0) return [];
  return [
    { en: '## Coding agents', zh: '## 编程助手' },
    {
      en: 'The administrator prints these lines with a relay key, and those of editors, chats and libraries, with `sudo landfall relay client`.',
      zh: '管理员用 `sudo landfall relay client` 可以查看带中继密钥的这些配置，以及编辑器、聊天程序和程序库的配置。',
    },
    ...blocks,
  ];
}

/** Returns the name of a provider that OpenAI's SDK can use. */
function sdkProvider(site: Site): string {
  const [[first] = []] = openaiProviders(site);
  return first ?? (site.relay.local ? 'local' : 'PROVIDER');
}

const titles = { anthropic: 'Anthropic API', gemini: 'Gemini API' } as const;

/** Returns a list of base URLs: SDKs for other APIs than OpenAI's append the version themselves. */
function basesOf({ providers, relay }: Site, url: string): string[] {
  const hosted = Object.entries(providers).map(([name, { api = 'openai' }]) =>
    api === 'openai' ? `- \`${url}/${name}/v1\`` : `- \`${url}/${name}\` (${titles[api]})`,
  );
  const local = [`- \`${url}/local/v1\``, `- \`${url}/local\` (Ollama API)`];
  return [...hosted, ...(relay.local ? local : [])];
}
