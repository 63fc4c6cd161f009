import type { ReleaseModel } from '#contract/bundle/release.ts';
import type { ComponentName } from '#contract/components.ts';
import { tunnelTo, urlOf } from '#contract/site/endpoints.ts';
import { openaiProviders } from '#contract/site/providers/provider-api.ts';
import { hostedOnlyTexts, type LocalModels, listedName } from '#contract/sizes/local-models.ts';
import { formatBytes } from '#contract/text/amount.ts';
import type { Language, Text } from '#contract/text/language.ts';
import { isPublic } from '../../../server/host/outside/addresses.ts';
import type { StackInput } from '../stack-input.ts';

/** A page of the server's documentation, generated for its site. */
export interface Page {
  /** Part of its path: `/agents/<name>.md` is Markdown, `/agents/<name>` is HTML or Markdown. */
  readonly name: string;
  readonly title: Text;
  /** One sentence in the list of pages. */
  readonly summary: Text;
  /** Markdown below the title. */
  readonly body: Text;
}

export type WritePage = (input: StackInput) => Page;

/** A block of Markdown: a text in each language, or the same in both. */
type Block = Text | string;

/** Joins blocks to the body of a page. */
export function bodyOf(...blocks: readonly Block[]): Text {
  const inLanguage = (language: Language) =>
    blocks.map((each) => (typeof each === 'string' ? each : each[language])).join('\n\n');
  return { en: inLanguage('en'), zh: inLanguage('zh') };
}

/** Formats a Markdown code block. */
export function code(language: string, ...lines: readonly string[]): string {
  return ['```'.concat(language), ...lines, '```'].join('\n');
}

/** Returns the path of a page on its host, without an extension. */
export function pathOf(name: string, language: Language): string {
  return language === 'en' ? `/agents/${name}` : `/agents/${language}/${name}`;
}

/** Returns the public URL of a component; undefined if it has none or its address is unknown. */
export function publicUrlOf({ site, server }: StackInput, name: ComponentName): string | undefined {
  return urlOf(site, name, server.addresses?.find(isPublic));
}

/**
 * Returns how to open the component at the bare address of a server that does not know its public
 * address, as behind NAT. Undefined for other components.
 */
export function unknownAddressBlock({ site }: StackInput, name: ComponentName): Text | undefined {
  const url = urlOf(site, name, 'ADDRESS');
  if (url === undefined) return undefined;
  return {
    en: `Open \`${url}\` in a browser. \`ADDRESS\` is the public address of this server.`,
    zh: `用浏览器打开 \`${url}\`，其中 \`ADDRESS\` 是服务器的公网 IP。`,
  };
}

/** Returns the blocks that explain how to open the SSH tunnel to a component; empty without a port. */
export function tunnelBlocks({ site }: StackInput, name: ComponentName): (Text | string)[] {
  const { command } = tunnelTo(site, name) ?? {};
  if (command === undefined) return [];
  const explained = [
    {
      placeholder: 'USER',
      en: '`USER` is your login on the server',
      zh: '`USER` 是您在服务器上的用户名',
    },
    { placeholder: 'SERVER', en: '`SERVER` is its address', zh: '`SERVER` 是服务器地址' },
  ].filter(({ placeholder }) => command.includes(placeholder));
  return [
    {
      en: 'Keep this SSH tunnel running on your computer:',
      zh: '在您的电脑上保持以下 SSH 隧道运行：',
    },
    code('sh', command),
    {
      en: `${explained.map(({ en }) => en).join(', ')}.`,
      zh: `${explained.map(({ zh }) => zh).join('，')}。`,
    },
  ];
}

const roles: Readonly<Record<ReleaseModel['role'], Text>> = {
  chat: { en: 'chat', zh: '聊天' },
  embedding: { en: 'document search', zh: '文档检索' },
};

/** Returns the blocks that list the models of a server; empty if they are unknown. */
export function modelBlocks(models: LocalModels | undefined): Text[] {
  if (models === undefined) return [];
  const why = models.hostedOnly && hostedOnlyTexts[models.hostedOnly];
  const list = {
    en: models.models.map((model) => itemOf(model, 'en')).join('\n'),
    zh: models.models.map((model) => itemOf(model, 'zh')).join('\n'),
  };
  return [
    ...(why ? [{ en: `This server has ${why.en}.`, zh: `本服务器${why.zh}。` }] : []),
    ...(models.models.length > 0
      ? [{ en: 'Models of this server:', zh: '本服务器的模型：' }, list]
      : []),
  ];
}

/** Returns the block that names the providers whose models the chat UI lists; empty without any. */
export function hostedBlocks(site: StackInput['site']): Text[] {
  const providers = openaiProviders(site).map(([name]) => name);
  if (providers.length === 0) return [];
  return [
    {
      en: `The chat also lists the hosted models of ${providers.join(', ')}, once the administrator has set the key.`,
      zh: `管理员设置密钥后，聊天页面还会列出 ${providers.join('、')} 的云端模型。`,
    },
  ];
}

function itemOf(model: ReleaseModel, language: keyof Text): string {
  const size = model.size === null ? [] : [formatBytes(model.size)];
  const details = [roles[model.role][language], ...size];
  return language === 'en'
    ? `- \`${listedName(model)}\`: ${details.join(', ')}`
    : `- \`${listedName(model)}\`：${details.join('，')}`;
}

/** CSS of the pages, with light and dark mode. Long lines of code wrap on narrow screens. */
export const pageStyle = [
  ':root{color-scheme:light dark;--line:#d9d9e0;--soft:#f4f4f7;--link:#0b57d0}',
  'body{font:16px/1.6 system-ui,sans-serif;max-width:42rem;margin:0 auto;padding:1rem 1.25rem 3rem}',
  'header{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;align-items:baseline;justify-content:space-between;border-bottom:1px solid var(--line);padding-bottom:.75rem}',
  'nav{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem}',
  '.name{font-weight:700;color:inherit;text-decoration:none}',
  '[aria-current]{color:inherit;text-decoration:none}',
  'h1{font-size:1.75rem;line-height:1.25;margin:1.75rem 0 1.25rem}',
  'h1 span{display:block;font-size:1.25rem;font-weight:400}',
  'h2{font-size:1.2rem;line-height:1.3;margin:2.25rem 0 .75rem}',
  'a{color:var(--link);overflow-wrap:anywhere}',
  ':focus-visible{outline:2px solid var(--link);outline-offset:3px;border-radius:2px}',
  'li{margin:.4rem 0}ul{padding-left:1.25rem}',
  'code{font:.875em/1.6 ui-monospace,monospace;background:var(--soft);border-radius:4px;padding:.1em .3em}',
  'pre{background:var(--soft);border:1px solid var(--line);border-radius:8px;padding:.875rem 1rem}',
  'pre code{background:none;padding:0}',
  'code{overflow-wrap:anywhere;-webkit-box-decoration-break:clone;box-decoration-break:clone}',
  'pre{white-space:pre-wrap}',
  '@media(prefers-color-scheme:dark){:root{--line:#33333d;--soft:#1d1d24;--link:#8ab4f8}body{background:#121216;color:#e3e3e8}}',
].join('');
