import { inBoth, inLanguage, type Language, type Text } from '#contract/text/language.ts';
import { type Client, type ClientApi, clientGroups, type Part, type Values } from './client.ts';
import { clients, defaultRoots } from './clients.ts';

/** The names of the APIs in both languages. */
export const apiTitles: Readonly<Record<ClientApi, string>> = {
  ...{ openai: 'OpenAI', anthropic: 'Anthropic', gemini: 'Gemini', ollama: 'Ollama' },
};

const roots = defaultRoots('https://api.example.com');

/** The models of the documentation. */
const models: Readonly<Record<ClientApi, string>> = {
  ...{ openai: 'gpt-5-mini', anthropic: 'claude-sonnet-4-5', gemini: 'gemini-2.5-flash' },
  ollama: 'qwen3:8b',
};

const groupTitles: Readonly<Record<(typeof clientGroups)[number], Text>> = {
  agents: { en: 'Coding agents', zh: '编程助手' },
  editors: { en: 'Editors', zh: '编辑器' },
  chats: { en: 'Chats and automation', zh: '聊天与自动化' },
  libraries: { en: 'Libraries', zh: '程序库' },
};

/** Returns the table of the clients and the settings of each, as Markdown. */
export function clientsDocument(language: Language): string {
  const say = (text: Text) => inLanguage(text, language);
  const settings = clientGroups.flatMap((group) => [
    `## ${say(groupTitles[group])}`,
    ...clients.filter((client) => client.group === group).flatMap((each) => sectionOf(each, say)),
  ]);
  const heading = say({ en: '## All clients', zh: '## 客户端一览' });
  return [heading, tableOf(say), ...settings].join('\n\n');
}

type Say = (text: Text) => string;

function tableOf(say: Say): string {
  const head = {
    en: '| client | name | APIs | tried, or read |\n|---|---|---|---|',
    zh: '| 客户端 | 名称 | API | 测试的版本，或来源 |\n|---|---|---|---|',
  };
  const rows = clients.map((client) => {
    const apis = client.variants.map(({ api }) => apiTitles[api]).join(say({ en: ', ', zh: '、' }));
    return `| ${say(client.title)} | \`${client.id}\` | ${apis} | ${evidenceOf(client, say)} |`;
  });
  return [say(head), ...rows].join('\n');
}

function evidenceOf({ evidence }: Client, say: Say): string {
  const { date } = evidence;
  if ('tried' in evidence) {
    return say({ en: `${evidence.tried}, ${date}`, zh: `${evidence.tried}，${date}` });
  }
  const link = (source: string) => `[${new URL(source).host}](${source})`;
  const links = evidence.sources.map(link).join(say({ en: ', ', zh: '、' }));
  return say({ en: `not tried; ${links}, ${date}`, zh: `未测试；${links}，${date}` });
}

function sectionOf(client: Client, say: Say): string[] {
  const valuesOf = (api: ClientApi) => ({
    ...{ root: roots[api], model: models[api] },
  });
  return [`### ${say(client.title)}`, ...settingsOf(client, valuesOf, say)];
}

/**
 * Returns the settings of a client as blocks of Markdown, without a relay key.
 * @param served the APIs, of which those that are missing are left out
 */
export function settingsOf(
  { variants, notes }: Client,
  served: (
    api: ClientApi,
  ) => (Pick<Values, 'context'> & { root: string; model: string | undefined }) | undefined,
  say: Say,
): string[] {
  const settings = variants.flatMap(({ api, suffix, parts }) => {
    const found = served(api);
    if (!found) return [];
    const { root, model = 'MODEL', context } = found;
    const values = { base: `${root}${suffix}`, key: 'RELAY_KEY', model, context };
    const format = { en: `${apiTitles[api]}'s format`, zh: `${apiTitles[api]} 格式` };
    return parts
      .filter((part) => 'steps' in part || part.lines(values) !== '')
      .map((part, index) => markdownOf(part, values, index === 0 ? format : none, say));
  });
  return settings.length === 0 ? [] : [...settings, ...notes.map(say)];
}

const none = inBoth('');

function markdownOf(part: Part, values: Values, format: Text, say: Say): string {
  if ('steps' in part) {
    const label = format === none ? '' : `${say({ en: `${format.en}: `, zh: `${format.zh}：` })}`;
    return `${label}${say(part.steps(values))}`;
  }
  const file = part.file && { en: `in ${part.file.en}`, zh: `写入 ${part.file.zh}` };
  const labels = [format, file ?? none].filter((text) => text !== none);
  const label = labels.map(say).join(say({ en: ', ', zh: '，' }));
  const colon = say({ en: ':', zh: '：' });
  const block = `\`\`\`${part.language}\n${part.lines(values)}\n\`\`\``;
  return label === ''
    ? block
    : `${label.charAt(0).toUpperCase()}${label.slice(1)}${colon}\n\n${block}`;
}
