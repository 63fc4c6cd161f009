import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { hostAndPort } from '#contract/site/route.ts';
import type { Language } from '#contract/text/language.ts';
import { commentLines } from '#explain/site-text.ts';
import { parseYaml } from '#yaml/parse.ts';
import { ownCompose } from '../../inputs/config/appliance.ts';
import { jsonSchemaOf } from '../../inputs/config/json-schemas.ts';
import { parseAppliance } from '../../inputs/config/parse-appliance.ts';
import { inputsChecksum, lockInputs } from '../../inputs/lock/inputs.ts';
import type { Lock, LockedImage } from '../../inputs/lock/lock.ts';
import { lockFileText, lockPathFor, readLock } from '../../inputs/lock/lock-file.ts';
import type { CompleteAnswers } from './answers.ts';
import { withChineseComments } from './appliance-comments.ts';
import { isModelFor } from './server-sizes.ts';
import type { NewFile } from './write-folder.ts';

/** Files of a release of the user. */
export const applianceNames = ['appliance.yaml', 'appliance.lock.yaml'];

/** Name of the file with a proxy that has a password. */
export const proxiesName = 'proxies.yaml';

/**
 * Returns the files that describe a release of the user, with what the site requires.
 * @throws LandfallError LOCK_INVALID
 */
export async function applianceFiles(answers: CompleteAnswers): Promise<NewFile[]> {
  const text = await applianceTemplate(answers);
  return [
    { name: 'appliance.yaml', text },
    { name: 'appliance.lock.yaml', text: await lockTemplate(text) },
    { name: '.landfall/appliance.schema.json', text: jsonSchemaOf('appliance') },
  ];
}

/** Returns site.yaml and its schema, and the proxy that is imported over SSH. */
export function siteFiles(text: string, { importedProxy, language }: CompleteAnswers): NewFile[] {
  return [
    { name: 'site.yaml', text, private: true },
    ...(importedProxy === undefined ? [] : [proxiesFile(importedProxy, language)]),
    { name: '.landfall/site.schema.json', text: jsonSchemaOf('site') },
  ];
}

const proxiesComment = {
  en: 'For `landfall route import`. It contains a password: keep it private.',
  zh: '供 `landfall route import` 使用。含有密码，请勿外传。',
};

/** Returns a proxy as a file for `landfall route import`. */
function proxiesFile(text: string, language: Language | undefined): NewFile {
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
  const comment = commentLines(proxiesComment, language);
  return {
    name: proxiesName,
    text: `${comment}\n${stringify({ proxies: [proxy] })}`,
    private: true,
  };
}

const reference = fileURLToPath(new URL('../../inputs/appliance.yaml', import.meta.url));

const clients = `
# The proxy client that the site requires. Its license is GPL-3.0-or-later.
clients:
  sing-box: {}
`;

/**
 * Returns the text of a new appliance.yaml: the reference appliance with the path of its schema, for
 * the architectures, and with the models that fit. The other models become comments, which are in the
 * language of the answers.
 */
async function applianceTemplate(answers: CompleteAnswers): Promise<string> {
  const text = await readFile(reference, 'utf8');
  const platforms = answers.architectures.map((arch) => `linux/${arch}`).join(', ');
  const own = text
    .replace(/\$schema=\S+/, '$schema=./.landfall/appliance.schema.json')
    .replace(/^platforms: .*$/m, `platforms: [${platforms}]`)
    .replaceAll(/^ {2}- (?:\{ name: )?([\w.:-]+).*$/gm, (line, model: string) =>
      isModelFor(answers.memory, model) ? line : line.replace(/^ {2}/, '  # '),
    );
  const complete = answers.route === 'client' ? `${own}${clients}` : own;
  return answers.language === 'zh' ? withChineseComments(complete) : complete;
}

/**
 * Returns the lock of an appliance of `applianceTemplate`: the entries of the reference, so that the
 * first build needs no registry. Its comments are dropped, because they apply only to the reference.
 * @throws LandfallError LOCK_INVALID
 */
async function lockTemplate(applianceText: string): Promise<string> {
  const lock = await referenceLock();
  const fields = parseAppliance(parseYaml(Buffer.from(applianceText), 'appliance.yaml'));
  const inputs = lockInputs({ ...fields, compose: ownCompose });
  const { platforms } = inputs;
  const onlyPlatforms = <T extends object>(entries: T): T =>
    Object.fromEntries(
      Object.entries(entries).filter(([name]) => platforms.some((each) => each === name)),
    ) as T;
  const images = Object.entries(lock.images).map(([name, image]): [string, LockedImage] => [
    name,
    { ...image, platforms: onlyPlatforms(image.platforms) },
  ]);
  const files = Object.entries(lock.files).map(([name, file]) => [name, onlyPlatforms(file)]);
  const models = Object.entries(lock.models).filter(([name]) => inputs.models[name]);
  return lockFileText({
    ...lock,
    inputs: inputsChecksum(inputs),
    images: Object.fromEntries(images),
    files: Object.fromEntries(files),
    models: Object.fromEntries(models),
  });
}

/** Returns the lock of the reference appliance. @throws LandfallError LOCK_INVALID */
export async function referenceLock(): Promise<Lock> {
  const path = lockPathFor(reference);
  const lock = await readLock(path);
  if (!lock) throw new Error(`${path} is missing`);
  return lock;
}
