import { stringify } from 'yaml';
import { componentOf, hostComponents } from '#contract/component-names.ts';
import { type CompleteAnswers, usesAuthority } from './answers.ts';

/** Renders site.yaml for the answers, with comments for the user. */
export function siteTemplate(answers: CompleteAnswers): string {
  const { releaseUrls, channels, user, email, sshKeys, uiHost } = answers;
  return `# yaml-language-server: $schema=./.landfall/site.schema.json
# The settings of your server, which become its user-data. They are not part of a bundle. Do not add
# secrets: your provider and every process on the server can read user-data. Set API keys later, on
# the server.

# URLs of folders with the release, tried in this order. Add a mirror that is close to the server. Or
# push: you send it over SSH.
${field('release', releaseOf(releaseUrls))}
# Where the server learns of new releases. It announces them and installs none.
${updatesFor(channels)}
# The login user. Only logins with an SSH key are allowed; root logins are disabled.
${field('admin', { user, ...(email ? { email } : {}), ssh_keys: [...sshKeys] })}
# Host names of the components: ${hostComponents.join(', ')}. Without a name for ui, the chat is at the
# IP address of the server. Without its name, any other component is reachable only through an SSH tunnel.
${field('hosts', uiHost ? { ui: uiHost } : {})}
# acme: certificates from Let's Encrypt. acme-ip: a certificate for the IP address. internal: an
# internal authority of the server. accept_terms: you accept the authority's terms of service.
${field('tls', tlsFor(answers))}
# How the server reaches the Internet: direct, or http-proxy or socks5 with a url, or client: a proxy
# client on the server, for Shadowsocks, VMess, VLESS, Trojan and Hysteria2 (docs/proxies/client.md).
${field('route', routeFor(answers.route))}
# Mirrors that are close to the server.
${mirrorsFor(answers)}
# The time zone of reboots, timers, logs and alerts, and the language of messages: en or zh.
${zoneFor(answers)}
# Models to install from the release. Default: the largest model that fits into memory. An empty list:
# only hosted models.
${answers.localModels ? '# models: [qwen3:1.7b]\n' : field('models', [])}
# Hosted providers that the relay serves. Set their keys on the server.
${providersFor(answers)}
# Front-ends besides Open WebUI. They need a provider.
${componentsFor(answers)}`;
}

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

function tlsFor({ tls, acceptTerms }: CompleteAnswers): object {
  return usesAuthority(tls) ? { mode: tls, accept_terms: acceptTerms } : { mode: tls };
}

function providersFor({ providers }: CompleteAnswers): string {
  const entries = Object.entries(providers).map(([name, url]) => [name, { base_url: url }]);
  if (entries.length > 0) return field('providers', Object.fromEntries(entries));
  return '# providers:\n#   openai: { base_url: https://api.openai.com/v1 }\n';
}

function componentsFor({ frontEnds }: CompleteAnswers): string {
  const enabled = frontEnds.map((name) => [name, true]);
  const remarks = frontEnds.map((name) => `# ${componentOf(name).upkeep}\n`).join('');
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
