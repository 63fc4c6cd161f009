import { stringify } from 'yaml';
import { componentOf } from '#contract/component-names.ts';
import { providerTable } from '#contract/known-providers.ts';
import type { Site } from '#contract/site/site.ts';
import { commentOf } from '#explain/site-notes.ts';
import { commentLines } from '#explain/site-text.ts';
import { type CompleteAnswers, usesAuthority } from './answers.ts';

/** Renders site.yaml for the answers, with comments for the user. */
export function siteTemplate(answers: CompleteAnswers): string {
  const { releaseUrls, channels, user, email, sshKeys, uiHost, language } = answers;
  const about = (section: keyof Site) => commentLines(commentOf(section), language);
  return `# yaml-language-server: $schema=./.landfall/site.schema.json
${commentLines(head, language)}

${about('release')}
${field('release', releaseOf(releaseUrls))}
${about('updates')}
${updatesFor(channels)}
${about('admin')}
${field('admin', { user, ...(email ? { email } : {}), ssh_keys: [...sshKeys] })}
${about('hosts')}
${field('hosts', uiHost ? { ui: uiHost } : {})}
${about('tls')}
${field('tls', tlsFor(answers))}
${about('access')}
# access: { mode: wireguard }
${about('route')}
${field('route', routeFor(answers.route))}
${about('mirrors')}
${mirrorsFor(answers)}
${about('timezone')}
${zoneFor(answers)}
${about('models')}
${answers.localModels ? '# models: [qwen3:1.7b]\n' : field('models', [])}
${about('providers')}
${providersFor(answers)}
${about('components')}
${componentsFor(answers)}`;
}

const head = {
  en: `The settings of your server, which become its user-data. They are not part of a bundle. Do not add
secrets: your provider and every process on the server can read user-data. Set API keys later, on
the server.`,
  zh: `这台服务器的设置，会成为它的 user-data，不会进入发布包。不要写入机密：云服务商和服务器上的每个
进程都能读到 user-data。API 密钥以后在服务器上设置。`,
};

/** Returns the release of a site: URLs, or `push`. */
function releaseOf(urls: readonly string[]): string | string[] {
  return urls[0] === 'push' ? 'push' : [...urls];
}

function field(name: string, value: unknown): string {
  return stringify({ [name]: value }, { lineWidth: 0 });
}

function updatesFor(channels: readonly string[]): string {
  if (channels.length > 0) return field('updates', { channels: [...channels] });
  return '# updates:\n#   channels: [https://downloads.example.com/landfall/stable/]\n';
}

function tlsFor({ tls, acceptTerms, dnsProvider }: CompleteAnswers): object {
  return {
    mode: tls,
    ...(usesAuthority(tls) ? { accept_terms: acceptTerms } : {}),
    ...(dnsProvider === undefined ? {} : { challenge: 'dns', dns: { provider: dnsProvider } }),
  };
}

function providersFor({ providers }: CompleteAnswers): string {
  const entries = Object.entries(providers).map(([name, base_url]) => {
    const api = providerTable[name]?.api;
    return [name, { base_url, ...(api ? { api } : {}) }];
  });
  if (entries.length > 0) return field('providers', Object.fromEntries(entries));
  return '# providers:\n#   openai: { base_url: https://api.openai.com/v1 }\n';
}

function componentsFor({ frontEnds, language }: CompleteAnswers): string {
  const enabled = frontEnds.map((name) => [name, true]);
  const upkeep = frontEnds.flatMap((name) => componentOf(name).upkeep ?? []);
  const remarks = upkeep.map((text) => `${commentLines(text, language)}\n`).join('');
  if (enabled.length > 0) return remarks + field('components', Object.fromEntries(enabled));
  return '# components: { chat: true }\n';
}

function zoneFor({ timezone, language }: CompleteAnswers): string {
  const zone = timezone === undefined ? '# timezone: Asia/Shanghai\n' : field('timezone', timezone);
  return `${zone}${language === undefined ? '' : field('language', language)}`;
}

function mirrorsFor({ mirrors }: CompleteAnswers): string {
  if (Object.keys(mirrors).length > 0) return field('mirrors', mirrors);
  return `# mirrors:
#   apt: https://mirror.example.net/debian
#   registries: { docker.io: https://registry.example.net }
#   models: https://models.example.net
`;
}

/** Returns the route for an answer: by the scheme of a URL, `client`, or direct without an answer. */
export function routeFor(answer: string | undefined): object {
  if (!answer) return { mode: 'direct' };
  if (answer === 'client') return { mode: 'client' };
  return { mode: /^socks5h?:/.test(answer) ? 'socks5' : 'http-proxy', url: answer };
}
