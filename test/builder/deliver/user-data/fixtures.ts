import { siteText } from '#explain/site-text.ts';
import { formats, providers } from '../../../../builder/deliver/user-data/providers.ts';
import type { UserDataInputs } from '../../../../builder/deliver/user-data/render.ts';
import { sourceUrl } from './rendered.ts';

const sshKey =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOfVscOQjj0xpAv9TsSsXHMgaePCX3vFCzV9Y1yHldL8 owner@laptop';
const admin = { ssh_keys: [sshKey] };

/** Sites whose user-data differ in their files, commands or certificates. */
const sites: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  direct: {},
  'a domain': {
    admin: { user: 'ada', email: 'ada@example.com', ssh_keys: [sshKey, `${sshKey}-2`] },
    hosts: { ui: 'chat.example.com' },
    tls: { mode: 'acme', accept_terms: true },
  },
  'an HTTP proxy': {
    route: { mode: 'http-proxy', url: 'http://10.0.0.2:7890', no_proxy: ['10.0.0.0/8'] },
  },
  'a proxy with a password': {
    route: { mode: 'http-proxy', url: 'http://user:s3cret@10.0.0.2:7890' },
  },
  'a SOCKS5 proxy': { route: { mode: 'socks5', url: 'socks5h://10.0.0.2:1080' } },
  'a pushed release': { release: 'push' },
  'mirrors as sources': { release: [sourceUrl, 'https://mirror.example.net/landfall/'] },
  'DNS servers': { dns: { nameserver: ['192.0.2.53', '192.0.2.54'] } },
  'no local models': { models: [] },
  'text in Chinese': {
    admin: { ssh_keys: [sshKey.replace('owner@laptop', '小明的电脑')] },
    language: 'zh',
    timezone: 'Asia/Shanghai',
  },
};

/** Inputs of user-data with site.yaml, for comparisons between platforms. */
export interface UserDataFixture extends Pick<UserDataInputs, 'provider' | 'format'> {
  readonly name: string;
  readonly siteYaml: string;
}

/** Every site in every format that a page writes, and one for each provider. */
export const userDataFixtures: readonly UserDataFixture[] = [
  ...Object.entries(sites).flatMap(([name, fields]) =>
    formats
      .filter((format) => format !== 'gzip')
      .map((format) => ({ name: `${name} as ${format}`, siteYaml: yamlOf(fields), format })),
  ),
  ...Object.keys(providers).map((provider) => ({
    ...{ name: `for ${provider}`, siteYaml: yamlOf({}), provider },
  })),
];

function yamlOf(fields: Readonly<Record<string, unknown>>): string {
  return siteText({ release: [sourceUrl], admin, ...fields });
}
