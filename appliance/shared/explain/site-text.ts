import { stringify } from 'yaml';
import { hostComponents } from '#contract/component-names.ts';
import { siteSchema } from '#contract/site/site.ts';

/** The comments of site.yaml above the fields that most people change, by field. */
export const siteComments = {
  release: `URLs of folders with the release, tried in this order. Add a mirror that is close to the server. Or
push: you send it over SSH.`,
  updates: 'Where the server learns of new releases. It announces them and installs none.',
  admin: 'The login user. Only logins with an SSH key are allowed; root logins are disabled.',
  hosts: `Host names of the components: ${hostComponents.join(', ')}. Without a name for ui, the chat is at the
IP address of the server. Without its name, any other component is reachable only through an SSH tunnel.`,
  tls: `acme: certificates from Let's Encrypt. acme-ip: a certificate for the IP address. internal: an
internal authority of the server. accept_terms: you accept the authority's terms of service.`,
  route: `How the server reaches the Internet: direct, or http-proxy or socks5 with a url, or client: a proxy
client on the server, for Shadowsocks, VMess, VLESS, Trojan and Hysteria2 (docs/proxies/client.md).`,
  mirrors: 'Mirrors that are close to the server.',
  timezone:
    'The time zone of reboots, timers, logs and alerts, and the language of messages: en or zh.',
  models: `Models to install from the release. Default: the largest model that fits into memory. An empty list:
only hosted models.`,
  providers: 'Hosted providers that the relay serves. Set their keys on the server.',
  components: 'Front-ends besides Open WebUI. They need a provider.',
} as const;

/** Returns a text as comment lines of YAML. */
export function commentLines(text: string): string {
  return text.replaceAll(/^/gm, '# ');
}

const comments: Readonly<Record<string, string | undefined>> = siteComments;

const head = `The settings of this server. Change them here and run \`sudo landfall site apply\`, or use
\`sudo landfall site edit\`. They must not contain secrets: set those with \`sudo landfall secret set\`.
docs/site.md has all fields, docs/site-changes.md what a change of each of them does.`;

/**
 * Renders a site as site.yaml with comments, for a server that has only its JSON.
 * @param fields a site without the fields that equal their defaults
 */
export function siteText(fields: Readonly<Record<string, unknown>>): string {
  const sections = Object.keys(siteSchema.shape)
    .filter((name) => fields[name] !== undefined)
    .map((name) => {
      const about = comments[name] ?? descriptionOf(name);
      const above = about === undefined ? '' : `${commentLines(about)}\n`;
      return `${above}${stringify({ [name]: fields[name] }, { lineWidth: 0 })}`;
    });
  return `${commentLines(head)}\n\n${sections.join('\n')}`;
}

function descriptionOf(name: string): string | undefined {
  const shape: Readonly<Record<string, { readonly description?: string | undefined }>> =
    siteSchema.shape;
  return shape[name]?.description;
}
