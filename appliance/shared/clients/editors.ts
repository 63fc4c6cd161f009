import { inBoth } from '#contract/text/language.ts';
import { answerIn, type Client, ran, read } from './client.ts';

const cursor = 'https://docs.merge.dev/merge-gateway/coding-agents/cursor.md';
const jetbrains = 'https://coder.com/docs/ai-coder/ai-gateway/clients/jetbrains';
const zed = 'https://github.com/zed-industries/zed/blob/main/docs/src/ai/use-api-access.md';
const vscode =
  'https://github.com/microsoft/vscode-docs/blob/main/docs/agent-customization/language-models.md';

/** For a model of a provider: nearly all have more. Tokens. */
const unknownContext = 65_536;

/** Editors, and what runs in them. */
export const editors: readonly Client[] = [
  {
    ...{ id: 'continue', title: inBoth('Continue'), group: 'editors', needsTools: true },
    variants: [continued('openai', '/v1'), continued('anthropic', '/v1/')],
    notes: [
      {
        en: 'The file serves the editor and the program `cn`. Only `cn` was tried.',
        zh: '编辑器插件和命令行程序 `cn` 都使用这个文件。只测试过 `cn`。',
      },
    ],
    evidence: { tried: '1.5.47', date: ran },
  },
  {
    ...{ id: 'cursor', title: inBoth('Cursor'), group: 'editors', needsTools: true },
    variants: [
      {
        ...{ api: 'openai', suffix: '/v1' },
        parts: [
          {
            steps: ({ base, model }) => ({
              en: `In *Cursor Settings*, *Models*: enter the relay key as OpenAI API key, turn on *Override OpenAI Base URL* with \`${base}\`, and add the model \`${model}\`.`,
              zh: `在 *Cursor Settings*、*Models* 中：OpenAI API Key 填中继密钥，打开 *Override OpenAI Base URL* 并填写 \`${base}\`，再添加模型 \`${model}\`。`,
            }),
          },
        ],
      },
    ],
    notes: [
      {
        en: "Cursor's servers send the requests, not your computer: the relay needs a host name that the internet reaches and a trusted certificate, and Cursor sees the relay key and the questions. Give it a key of its own with a budget. Its agent mode and Tab completion use Cursor's own models.",
        zh: '请求由 Cursor 的服务器发出，而不是您的电脑：中继需要公网可访问的域名和受信任的证书，Cursor 也能看到中继密钥和提问内容。请为它单独设置一个有预算的密钥。它的 Agent 模式和 Tab 补全使用 Cursor 自己的模型。',
      },
    ],
    evidence: { sources: [cursor], date: read },
  },
  {
    ...{ id: 'zed', title: inBoth('Zed'), group: 'editors', needsTools: true },
    variants: [
      {
        ...{ api: 'openai', suffix: '/v1' },
        parts: [
          {
            file: inBoth('`settings.json`'),
            language: 'json',
            lines: ({ base, model, context = unknownContext }) => `{
  "language_models": {
    "openai_compatible": {
      "relay": {
        "api_url": "${base}",
        "available_models": [
          { "name": "${model}", "max_tokens": ${context}, "capabilities": { "tools": true } }
        ]
      }
    }
  }
}`,
          },
          {
            steps: () => ({
              en: 'Enter the relay key in *Settings*, *AI*, *LLM Providers*, or set `RELAY_API_KEY` before Zed starts. Set `max_tokens` to the context of the model.',
              zh: '在 *Settings*、*AI*、*LLM Providers* 中填写中继密钥，或在启动 Zed 之前设置 `RELAY_API_KEY`。`max_tokens` 填模型的上下文长度。',
            }),
          },
        ],
      },
    ],
    notes: [
      {
        en: 'Edit predictions have a provider of their own.',
        zh: '编辑预测功能另有模型服务商。',
      },
    ],
    evidence: { sources: [zed], date: read },
  },
  {
    ...{ id: 'vscode', title: inBoth('VS Code'), group: 'editors', needsTools: true },
    variants: [
      vscodeEndpoint('openai', '/v1/chat/completions', 'chat-completions'),
      vscodeEndpoint('anthropic', '/v1/messages', 'messages'),
    ],
    notes: [
      {
        en: 'The command *Chat: Manage Language Models*, *Add Models*, *Custom Endpoint* opens the file and asks for the key. A model that calls no tools is not offered to agents. Inline suggestions, and titles without another setting, use models of GitHub Copilot.',
        zh: '命令 *Chat: Manage Language Models*、*Add Models*、*Custom Endpoint* 会打开这个文件并询问密钥。不支持工具调用的模型不会提供给智能体。行内补全使用 GitHub Copilot 的模型，未另行设置时标题也是。',
      },
    ],
    evidence: { sources: [vscode], date: read },
  },
  {
    ...{
      id: 'jetbrains',
      title: inBoth('JetBrains AI Assistant'),
      group: 'editors',
      needsTools: true,
    },
    variants: [
      {
        ...{ api: 'openai', suffix: '/v1' },
        parts: [
          {
            steps: ({ base, model }) => ({
              en: `In *Settings*, *Tools*, *AI Assistant*, *Models & API Keys*: choose the third-party provider *OpenAI-compatible* with the URL \`${base}\`, the relay key and the model \`${model}\`.`,
              zh: `在 *Settings*、*Tools*、*AI Assistant*、*Models & API Keys* 中：第三方模型服务商选 *OpenAI-compatible*，URL 填 \`${base}\`，再填中继密钥和模型 \`${model}\`。`,
            }),
          },
        ],
      },
    ],
    notes: [
      {
        en: "Some features use JetBrains' own service only. Another name of the page in newer versions is *Providers & API keys*.",
        zh: '部分功能只使用 JetBrains 自己的服务。较新版本中这个页面叫 *Providers & API keys*。',
      },
    ],
    evidence: { sources: [jetbrains], date: read },
  },
];

function continued(api: 'openai' | 'anthropic', suffix: string): Client['variants'][0] {
  return {
    ...{ api, suffix },
    parts: [
      {
        file: inBoth('`~/.continue/config.yaml`'),
        language: 'yaml',
        lines: ({ base, key, model, context }) => `name: Relay
version: 1.0.0
schema: v1
models:
  - name: Relay
    provider: ${api}
    model: ${model}
    apiBase: ${base}
    apiKey: ${key}${
      context === undefined
        ? ''
        : `
    defaultCompletionOptions:
      contextLength: ${context}`
    }`,
      },
    ],
  };
}

function vscodeEndpoint(
  api: 'openai' | 'anthropic',
  suffix: string,
  type: string,
): Client['variants'][0] {
  return {
    ...{ api, suffix },
    parts: [
      {
        file: inBoth('`chatLanguageModels.json`'),
        language: 'json',
        lines: ({ base, model, context = unknownContext }) => `[
  {
    "name": "Relay",
    "vendor": "customendpoint",
    "apiKey": "\${input:relayKey}",
    "apiType": "${type}",
    "models": [
      {
        "id": "${model}",
        "name": "${model}",
        "url": "${base}",
        "toolCalling": true,
        "vision": false,
        "maxInputTokens": ${context - answerIn(context)},
        "maxOutputTokens": ${answerIn(context)}
      }
    ]
  }
]`,
      },
    ],
  };
}
