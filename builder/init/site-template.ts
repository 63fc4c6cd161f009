import { stringify } from 'yaml';
import { hostComponents } from '#contract/component-names.ts';
import { asksAuthority, type SiteAnswers } from './answers.ts';

/** The text of site.yaml for some answers, with a comment for whoever opens it later. */
export function siteTemplate(answers: SiteAnswers): string {
  const { releaseUrl, user, email, sshKeys, uiHost } = answers;
  return `# yaml-language-server: $schema=./.landfall/site.schema.json
# Who and where: this becomes user-data. It goes into no bundle and holds no secret; user-data can be
# read by your provider and by every process on the server. Provider keys are set there later.

# URLs of folders with the release, tried in this order. Add a mirror that is near the server.
${field('release', [releaseUrl])}
# The user that may log in, by key only. Root may not.
${field('admin', { user, ...(email ? { email } : {}), ssh_keys: [...sshKeys] })}
# Host names to be reachable under: ${hostComponents.join(', ')}. What has none is reachable over an
# SSH tunnel only.
${field('hosts', uiHost ? { ui: uiHost } : {})}
# acme: certificates from Let's Encrypt. acme-ip: one for the bare address. internal: an authority of
# its own. accept_terms says that you accept the authority's terms.
${field('tls', tlsFor(answers))}
# How the server reaches the outside: direct, http-proxy or socks5 with a url.
${field('route', routeFor(answers.routeUrl))}
# Mirrors near the server, for example:
# mirrors:
#   apt: https://mirror.example.net/debian
#   registries: { docker.io: https://registry.example.net }
#   models: https://models.example.net

# Models of the release that the server shall have. Left out: the largest that its memory holds.
# models: [qwen3:1.7b]

# Hosted providers that the relay shall serve, for example:
# providers:
#   openai: { base_url: https://api.openai.com/v1 }
`;
}

function field(name: string, value: unknown): string {
  return stringify({ [name]: value }, { lineWidth: 0 });
}

function tlsFor({ tls, acceptTerms }: SiteAnswers): object {
  return asksAuthority(tls) ? { mode: tls, accept_terms: acceptTerms } : { mode: tls };
}

/** The route that leads through a proxy, by the scheme of its URL; direct without one. */
export function routeFor(url: string | undefined): object {
  if (!url) return { mode: 'direct' };
  return { mode: /^socks5h?:/.test(url) ? 'socks5' : 'http-proxy', url };
}
