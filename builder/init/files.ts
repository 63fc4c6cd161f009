import { stringify } from 'yaml';
import { hostAndPort } from '#contract/site/route.ts';
import { jsonSchemaOf } from '../config/json-schemas.ts';
import type { SiteAnswers } from './answers.ts';
import { applianceTemplate, lockTemplate } from './appliance-template.ts';
import type { NewFile } from './write-folder.ts';

/** Files of a release of the user. */
export const applianceNames = ['appliance.yaml', 'appliance.lock.yaml'];

/** Name of the file with a proxy that has a password. */
export const proxiesName = 'proxies.yaml';

/**
 * Returns the files that describe a release of the user, with what the site requires.
 * @throws LandfallError LOCK_INVALID
 */
export async function applianceFiles(answers: SiteAnswers): Promise<NewFile[]> {
  const { route, architectures, memory } = answers;
  const text = await applianceTemplate({ architectures, memory, hasClient: route === 'client' });
  return [
    { name: 'appliance.yaml', text },
    { name: 'appliance.lock.yaml', text: await lockTemplate(text) },
    { name: '.landfall/appliance.schema.json', text: jsonSchemaOf('appliance') },
  ];
}

/** Returns site.yaml and its schema, and the proxy that is imported over SSH. */
export function siteFiles(text: string, { importedProxy }: SiteAnswers): NewFile[] {
  return [
    { name: 'site.yaml', text, private: true },
    ...(importedProxy === undefined ? [] : [proxiesFile(importedProxy)]),
    { name: '.landfall/site.schema.json', text: jsonSchemaOf('site') },
  ];
}

/** Returns a proxy as a file for `landfall route import`. */
function proxiesFile(text: string): NewFile {
  const { protocol, hostname, username, password } = new URL(text);
  const port = /:(\d+)$/.exec(hostAndPort(new URL(text)))?.[1] ?? '';
  const login = { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  const isSocks = protocol.startsWith('socks5');
  const proxy = {
    name: 'proxy',
    type: isSocks ? 'socks5' : 'http',
    server: hostname,
    port: Number(port),
    ...login,
    ...(protocol === 'https:' ? { tls: true } : {}),
  };
  const comment = '# For `landfall route import`. It contains a password: keep it private.\n';
  return { name: proxiesName, text: `${comment}${stringify({ proxies: [proxy] })}`, private: true };
}
