import type { Text } from '#contract/text/language.ts';
import { siteText } from '#explain/site-text.ts';
import type { PageFacts } from '../../facts.ts';

/** A kind of server to begin with. */
interface Preset {
  readonly title: Text;
  /** Fields that it sets. */
  readonly site: Readonly<Record<string, unknown>>;
  /** Fields to fill in, shown first. */
  readonly fields: ReadonlyArray<readonly string[]>;
}

const login = [
  ['admin', 'ssh_keys'],
  ['admin', 'user'],
] as const;

/** Presets in the order of the page. */
export const presets = {
  domain: {
    title: { en: 'A domain of mine', zh: '有自己的域名' },
    site: { tls: { mode: 'acme', accept_terms: false } },
    fields: [['hosts', 'ui'], ['admin', 'email'], ['tls', 'accept_terms'], ...login],
  },
  address: {
    title: { en: 'Only the IP address', zh: '只有 IP 地址' },
    site: {},
    fields: login,
  },
  proxy: {
    title: { en: 'Behind an HTTP proxy', zh: '通过 HTTP 代理上网' },
    site: { route: { mode: 'http-proxy' } },
    fields: [['route', 'url'], ['route', 'no_proxy'], ...login],
  },
  hosted: {
    title: { en: 'Hosted models only', zh: '只用云端模型' },
    site: { models: [] },
    fields: [['providers'], ...login],
  },
  relay: {
    title: { en: 'An API for my programs', zh: '为自己的程序提供 API' },
    site: { models: [], tls: { mode: 'acme', accept_terms: false } },
    fields: [
      ['hosts', 'relay'],
      ['providers'],
      ['admin', 'email'],
      ['tls', 'accept_terms'],
      ...login,
    ],
  },
} as const satisfies Readonly<Record<string, Preset>>;

export type PresetName = keyof typeof presets;

export const presetNames = Object.keys(presets) as readonly PresetName[];

const head = {
  en: `The settings of your server, which become its user-data. Do not add secrets: your provider and every
process on the server can read user-data. Set API keys later, on the server.`,
  zh: `这台服务器的设置，会成为它的 user-data。不要写入机密：云服务商和服务器上的每个进程都能读到 user-data。
API 密钥以后在服务器上设置。`,
};

/** Returns the text of site.yaml to begin with. The page of a release knows the URLs of its release. */
export function presetText(
  name: PresetName,
  facts: PageFacts | undefined,
  language: string,
): string {
  const { urls = [], channels = [] } = facts ?? {};
  const fields = {
    ...(urls.length > 0 ? { release: urls } : {}),
    admin: { ssh_keys: [] },
    ...(channels.length > 0 ? { updates: { channels } } : {}),
    ...presets[name].site,
    ...(language === 'zh' ? { language } : {}),
  };
  return siteText(fields, head);
}

/** Returns the fields that a preset shows first: those that have no value yet include where the release is. */
export function firstFields(name: PresetName, facts: PageFacts | undefined): Preset['fields'] {
  const { fields } = presets[name];
  return facts?.urls ? fields : [...fields, ['release']];
}
