import { inBoth } from '#contract/text/language.ts';
import { type Client, ran, read, type Values } from './client.ts';

const lobe =
  'https://github.com/lobehub/lobe-chat/blob/main/docs/self-hosting/environment-variables/model-provider.mdx';
const nextchat = 'https://github.com/ChatGPTNextWeb/NextChat/issues/4555';
const cherry = 'https://docs.cherry-ai.com/docs/russian/cherry-studio/preview/settings/providers';
const cherryLink =
  'https://github.com/CherryHQ/cherry-studio/blob/main/src/main/services/protocol/handlers/providersImport.ts';
const n8n = 'https://docs.n8n.io/integrations/builtin/credentials/ollama/';
const homeAssistant = 'https://github.com/home-assistant/home-assistant.io/pull/44158';

/** Chats, apps and automation. */
export const chats: readonly Client[] = [
  {
    ...{ id: 'llm', title: inBoth('llm'), group: 'chats', needsTools: false },
    variants: [
      {
        ...{ api: 'openai', suffix: '/v1' },
        parts: [
          {
            file: {
              en: '`extra-openai-models.yaml`, in the folder of `dirname "$(llm logs path)"`',
              zh: '`extra-openai-models.yaml`，在 `dirname "$(llm logs path)"` 所指的目录里',
            },
            language: 'yaml',
            lines: ({ base, model }) => `- model_id: relay
  model_name: ${model}
  api_base: ${base}
  api_key_name: relay
  supports_tools: true`,
          },
          { language: 'sh', lines: () => 'llm keys set relay\nllm -m relay hello' },
        ],
      },
    ],
    notes: [],
    evidence: { tried: '0.36', date: ran },
  },
  {
    ...{ id: 'open-webui', group: 'chats', needsTools: false },
    title: { en: 'Open WebUI on another machine', zh: '另一台机器上的 Open WebUI' },
    variants: [
      {
        ...{ api: 'openai', suffix: '/v1' },
        parts: [
          {
            language: '',
            lines: ({ base, key }) => `OPENAI_API_BASE_URL=${base}\nOPENAI_API_KEY=${key}`,
          },
        ],
      },
    ],
    notes: [{ en: 'It lists all models of the key.', zh: '它会列出这个密钥能用的所有模型。' }],
    evidence: {
      sources: ['https://github.com/open-webui/open-webui/blob/main/.env.example'],
      date: read,
    },
  },
  {
    ...{ id: 'lobechat', group: 'chats', needsTools: false },
    title: { en: 'LobeChat on another machine', zh: '另一台机器上的 LobeChat' },
    variants: [
      {
        ...{ api: 'openai', suffix: '/v1' },
        parts: [
          {
            language: '',
            lines: ({ base, key, model }) =>
              `OPENAI_PROXY_URL=${base}\nOPENAI_API_KEY=${key}\nOPENAI_MODEL_LIST=-all,+${model}`,
          },
        ],
      },
    ],
    notes: [
      {
        en: 'In its client mode, the browser sends the requests: add the origin of LobeChat to `relay.origins`.',
        zh: '在客户端请求模式下，请求由浏览器发出：请把 LobeChat 的 origin 加入 `relay.origins`。',
      },
    ],
    evidence: { sources: [lobe], date: read },
  },
  {
    ...{ id: 'nextchat', title: inBoth('NextChat'), group: 'chats', needsTools: false },
    variants: [
      {
        ...{ api: 'openai', suffix: '' },
        parts: [
          {
            steps: ({ base, model }) => ({
              en: `In its settings, turn on *Custom Endpoint* with the endpoint \`${base}\`, the relay key and the custom model \`${model}\`.`,
              zh: `在设置中打开“自定义接口”，接口地址填 \`${base}\`，再填中继密钥和自定义模型 \`${model}\`。`,
            }),
          },
        ],
      },
    ],
    notes: [
      {
        en: 'The browser sends the requests: add `https://app.nextchat.dev`, or the origin of your own NextChat, to `relay.origins`. `--qr` shows a link for phones.',
        zh: '请求由浏览器发出：请把 `https://app.nextchat.dev` 或您自己的 NextChat 的 origin 加入 `relay.origins`。`--qr` 为手机显示链接二维码。',
      },
    ],
    evidence: { sources: [nextchat], date: read },
    link: ({ base, key }) =>
      `https://app.nextchat.dev/#/?settings=${encodeURIComponent(JSON.stringify({ key, url: base }))}`,
  },
  {
    ...{ id: 'cherry-studio', title: inBoth('Cherry Studio'), group: 'chats', needsTools: false },
    variants: [
      {
        ...{ api: 'openai', suffix: '' },
        parts: [
          {
            steps: ({ base, model }) => ({
              en: `In *Settings*, *Model Provider*, *Add*: choose the type *OpenAI* with the API address \`${base}\`, the relay key and the model \`${model}\`. It appends \`/v1/chat/completions\`.`,
              zh: `在“设置”“模型服务”“添加”中：类型选 *OpenAI*，API 地址填 \`${base}\`，再填中继密钥和模型 \`${model}\`。它会自动补上 \`/v1/chat/completions\`。`,
            }),
          },
        ],
      },
    ],
    notes: [
      {
        en: '`--qr` shows a link that opens Cherry Studio with the address and the key.',
        zh: '`--qr` 显示的链接会打开 Cherry Studio 并填好地址和密钥。',
      },
    ],
    evidence: { sources: [cherry, cherryLink], date: read },
    link: ({ base, key }) => `cherrystudio://providers/api-keys?v=1&data=${cherryData(base, key)}`,
  },
  {
    ...{ id: 'n8n', title: inBoth('n8n'), group: 'chats', needsTools: false },
    variants: [
      credential('openai', '/v1', 'OpenAI', 'OpenAI Chat Model'),
      credential('ollama', '', 'Ollama', 'Ollama Chat Model'),
    ],
    notes: [],
    evidence: { sources: [n8n], date: read },
  },
  {
    ...{ id: 'home-assistant', title: inBoth('Home Assistant'), group: 'chats', needsTools: false },
    variants: [
      {
        ...{ api: 'ollama', suffix: '' },
        parts: [
          {
            steps: ({ base, model }) => ({
              en: `In *Settings*, *Devices & services*, add the integration *Ollama* with the URL \`${base}\`, the relay key as API key, and the model \`${model}\`.`,
              zh: `在“设置”“设备与服务”中添加 *Ollama* 集成：URL 填 \`${base}\`，API 密钥填中继密钥，模型选 \`${model}\`。`,
            }),
          },
        ],
      },
    ],
    notes: [
      {
        en: 'Versions before 2026 have no field for the key. Its context window size and keep-alive are settings of the server here: the relay removes them.',
        zh: '2026 年以前的版本没有密钥字段。上下文长度和保活时间在这里由服务器决定：中继会去掉这两个字段。',
      },
    ],
    evidence: { sources: [homeAssistant], date: read },
  },
];

/** Cherry Studio restores `_` to `+` and `-` to `/`. */
function cherryData(baseUrl: string, apiKey: string): string {
  const settings = JSON.stringify({ id: 'relay', name: 'Relay', type: 'openai', baseUrl, apiKey });
  return btoa(settings).replaceAll('+', '_').replaceAll('/', '-');
}

function credential(
  api: 'openai' | 'ollama',
  suffix: string,
  name: string,
  node: string,
): Client['variants'][0] {
  return {
    ...{ api, suffix },
    parts: [
      {
        steps: ({ base, model }: Values) => ({
          en: `Create a credential *${name}* with the base URL \`${base}\` and the relay key as API key, and choose it in the node *${node}* with the model \`${model}\`.`,
          zh: `新建 *${name}* 凭据，base URL 填 \`${base}\`，API key 填中继密钥；在 *${node}* 节点中选用它，模型填 \`${model}\`。`,
        }),
      },
    ],
  };
}
