import { inBoth } from '#contract/text/language.ts';
import { answerIn, type Client, type Part, ran, type Values } from './client.ts';

const openaiLines = ({ base, key }: Values) =>
  `export OPENAI_BASE_URL=${base}\nexport OPENAI_API_KEY=${key}`;

const qwenContext: Part = {
  file: inBoth('`~/.qwen/settings.json`'),
  language: 'json',
  lines: ({ context }) =>
    context === undefined
      ? ''
      : `{ "model": { "generationConfig": { "contextWindowSize": ${context} } } }`,
};

/** Agents in a terminal. */
export const agents: readonly Client[] = [
  {
    ...{ id: 'claude-code', title: inBoth('Claude Code'), group: 'agents', needsTools: true },
    variants: [
      {
        ...{ api: 'anthropic', suffix: '' },
        parts: [
          {
            language: 'sh',
            lines: ({ base, key, model, context }) =>
              [
                `export ANTHROPIC_BASE_URL=${base}`,
                `export ANTHROPIC_AUTH_TOKEN=${key}`,
                ...(context === undefined
                  ? [
                      '# A model of the server: also export ANTHROPIC_DEFAULT_HAIKU_MODEL',
                      '# and CLAUDE_CODE_MAX_CONTEXT_TOKENS',
                    ]
                  : [
                      `export ANTHROPIC_DEFAULT_HAIKU_MODEL=${model}`,
                      `export CLAUDE_CODE_MAX_CONTEXT_TOKENS=${context}`,
                    ]),
                `claude --model ${model}`,
              ].join('\n'),
          },
        ],
      },
    ],
    notes: [
      {
        en: 'At its start, Claude Code sends a `HEAD` request without a key. The relay answers 401, which is no error.',
        zh: 'Claude Code 启动时会发一个不带密钥的 `HEAD` 请求，中继返回 401，这不是故障。',
      },
    ],
    evidence: { tried: '2.1.332', date: ran },
  },
  {
    ...{ id: 'codex', title: inBoth('Codex'), group: 'agents', needsTools: true },
    variants: [
      {
        ...{ api: 'openai', suffix: '/v1' },
        parts: [
          {
            file: inBoth('`~/.codex/config.toml`'),
            language: 'toml',
            lines: ({ base, model, context }) =>
              `model = "${model}"
model_provider = "relay"
${context === undefined ? '' : `model_context_window = ${context}\nweb_search = "disabled"\n`}
[model_providers.relay]
name = "Relay"
base_url = "${base}"
env_key = "RELAY_KEY"
wire_api = "responses"`,
          },
          { language: 'sh', lines: ({ key }) => `export RELAY_KEY=${key}\ncodex` },
        ],
      },
    ],
    notes: [
      {
        en: 'A model of the server has no web search: `web_search = "disabled"`. Otherwise Ollama takes each call of a tool for a search, or asks ollama.com.',
        zh: '服务器上的模型没有网页搜索，请设置 `web_search = "disabled"`。否则 Ollama 会把每次工具调用都当作搜索，或者去请求 ollama.com。',
      },
    ],
    evidence: { tried: '0.171.0', date: ran },
  },
  {
    ...{ id: 'gemini-cli', title: inBoth('Gemini CLI'), group: 'agents', needsTools: true },
    variants: [
      {
        ...{ api: 'gemini', suffix: '' },
        parts: [
          {
            file: inBoth('`~/.gemini/settings.json`'),
            language: 'json',
            lines: () => '{ "security": { "auth": { "selectedType": "gemini-api-key" } } }',
          },
          {
            language: 'sh',
            lines: ({ base, key, model }) =>
              `export GOOGLE_GEMINI_BASE_URL=${base}\nexport GEMINI_API_KEY=${key}\ngemini -m ${model}`,
          },
        ],
      },
    ],
    notes: [
      {
        en: 'Version 0.61 rejects a base URL as long as the file does not name the kind of key. Local models have no API in its format.',
        zh: '0.61 版要求先在这个文件里写明密钥类型，否则不接受接口地址。本地模型没有这种格式的接口。',
      },
    ],
    evidence: { tried: '0.61.0', date: ran },
  },
  {
    ...{ id: 'opencode', title: inBoth('opencode'), group: 'agents', needsTools: true },
    variants: [
      opencode('openai', '/v1', '@ai-sdk/openai-compatible'),
      opencode('anthropic', '/v1', '@ai-sdk/anthropic'),
      opencode('gemini', '/v1beta', '@ai-sdk/google'),
    ],
    notes: [
      {
        en: 'The file can also be in the folder `~/.config/opencode`.',
        zh: '这个文件也可以放在 `~/.config/opencode` 里。',
      },
    ],
    evidence: { tried: '1.18.33', date: ran },
  },
  {
    ...{ id: 'qwen-code', title: inBoth('Qwen Code'), group: 'agents', needsTools: true },
    variants: [
      {
        ...{ api: 'openai', suffix: '/v1' },
        parts: [
          {
            language: 'sh',
            lines: (values) => `${openaiLines(values)}\nexport OPENAI_MODEL=${values.model}\nqwen`,
          },
          qwenContext,
        ],
      },
      {
        ...{ api: 'anthropic', suffix: '' },
        parts: [
          {
            language: 'sh',
            lines: ({ base, key, model }) =>
              `export ANTHROPIC_BASE_URL=${base}\nexport ANTHROPIC_API_KEY=${key}\nexport ANTHROPIC_MODEL=${model}\nqwen --auth-type anthropic`,
          },
          qwenContext,
        ],
      },
    ],
    notes: [],
    evidence: { tried: '0.24.4', date: ran },
  },
  {
    ...{ id: 'aider', title: inBoth('aider'), group: 'agents', needsTools: false },
    variants: [aider('openai', '/v1'), aider('anthropic', ''), aider('gemini', '')],
    notes: [],
    evidence: { tried: '0.86.2', date: ran },
  },
  {
    ...{ id: 'cline', title: inBoth('Cline'), group: 'agents', needsTools: true },
    variants: [
      {
        ...{ api: 'openai', suffix: '/v1' },
        parts: [
          {
            language: 'sh',
            lines: ({ base, key, model }) =>
              `cline auth openai-compatible -k ${key} -m ${model} -b ${base}\ncline -P openai-compatible -m ${model} "say hello"`,
          },
          {
            steps: ({ base, model }) => ({
              en: `In the editor, choose "OpenAI Compatible" as the API provider, with the base URL \`${base}\`, the relay key and the model \`${model}\`.`,
              zh: `在编辑器里，API 提供方选 "OpenAI Compatible"，接口地址填 \`${base}\`，再填中继密钥和模型 \`${model}\`。`,
            }),
          },
        ],
      },
      {
        ...{ api: 'anthropic', suffix: '' },
        parts: [
          {
            steps: ({ base }) => ({
              en: `In the editor, choose "Anthropic" and the custom base URL \`${base}\`.`,
              zh: `在编辑器里选 "Anthropic"，自定义接口地址填 \`${base}\`。`,
            }),
          },
        ],
      },
    ],
    notes: [
      {
        en: 'The lines of the terminal were tried, the steps in the editor were not.',
        zh: '终端里的命令实际运行过，编辑器里的步骤没有。',
      },
    ],
    evidence: { tried: '3.0.65', date: ran },
  },
];

/** Returns the limits of a model for opencode, which does not shorten a conversation without them. */
function limitOf(context: number | undefined): string {
  if (context === undefined) return '{}';
  return `{ "limit": { "context": ${context}, "output": ${answerIn(context)} } }`;
}

function opencode(
  api: 'openai' | 'anthropic' | 'gemini',
  suffix: string,
  npm: string,
): Client['variants'][0] {
  return {
    ...{ api, suffix },
    parts: [
      {
        file: { en: '`opencode.json` of the project', zh: '`opencode.json`（项目中）' },
        language: 'json',
        lines: ({ base, key, model, context }) => `{
  "$schema": "https://opencode.ai/config.json",
  "model": "relay/${model}",
  "provider": {
    "relay": {
      "npm": "${npm}",
      "name": "Relay",
      "options": {
        "baseURL": "${base}",
        "apiKey": "${key}"
      },
      "models": { "${model}": ${limitOf(context)} }
    }
  }
}`,
      },
    ],
  };
}

function aider(api: 'openai' | 'anthropic' | 'gemini', suffix: string): Client['variants'][0] {
  const prefix = api.toUpperCase();
  return {
    ...{ api, suffix },
    parts: [
      {
        language: 'sh',
        lines: ({ base, key, model }) =>
          `export ${prefix}_API_BASE=${base}\nexport ${prefix}_API_KEY=${key}\naider --model ${api}/${model}`,
      },
    ],
  };
}
