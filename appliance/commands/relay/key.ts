import { LandfallError } from '#contract/errors.ts';
import { relayKeyName } from '#contract/site/key-names.ts';
import { relayClients } from '#contract/site/relay/relay-settings.ts';
import { inLanguage } from '#contract/text/language.ts';
import { parseYamlText } from '#yaml/parse.ts';
import { readSecret } from '../../server/host/secret-file.ts';
import type { Facts } from '../../server/load-facts.ts';
import type { Context } from '../../server/stage/stage.ts';
import { rotateSecrets } from '../secret/rotate.ts';
import { changeFields } from '../site/set.ts';
import { currentText, siteName } from '../site/source.ts';

/** Limits of a new key, as on the command line. */
export interface KeyOptions {
  readonly tokensPerDay?: number;
  readonly tokensPerMonth?: number;
  readonly requestsPerDay?: number;
  readonly models?: readonly string[];
  readonly expires?: string;
  readonly yes?: boolean;
}

const field = 'relay.keys';

/**
 * Adds a relay key to the site, applies the site, and prints the key once.
 * @throws LandfallError USAGE without a terminal, or for a name that exists; those of `changeFields`
 */
export async function addKey(facts: Facts, name: string, options: KeyOptions): Promise<void> {
  requireTerminal();
  if (relayClients(facts.site).includes(name)) {
    throw new LandfallError(
      'USAGE',
      inLanguage({
        en: `the site already has the relay key ${name}`,
        zh: `站点已有中继密钥 ${name}`,
      }),
      {
        hint: {
          en: `Change its limits with \`sudo landfall site edit\`, or run \`sudo landfall relay key rotate ${name}\`.`,
          zh: `用 \`sudo landfall site edit\` 修改它的限额，或运行 \`sudo landfall relay key rotate ${name}\`。`,
        },
      },
    );
  }
  await makeKey(facts, name, options);
  await printKey(facts, name, undefined);
}

/** Adds a relay key to the site, and applies the site. @throws LandfallError those of `changeFields` */
export async function makeKey(facts: Facts, name: string, options: KeyOptions): Promise<void> {
  // JSON is YAML.
  const value = JSON.stringify(entryOf(name, options));
  await changeFields(facts, [{ action: 'add', field, value }], options.yes);
}

/**
 * Replaces a relay key, and prints the new one once.
 * @throws LandfallError USAGE without a terminal, or for an unknown key; those of `rotateSecrets`
 */
export async function rotateKey(context: Context, name: string, yes = false): Promise<void> {
  requireTerminal();
  const secret = relayKeyName(name);
  const before = await readSecret(context.host, secret);
  await rotateSecrets(context, [secret], { yes });
  await printKey(context, name, before);
}

/**
 * Removes a relay key from the site, and applies the site: clients with the key are rejected.
 * @throws LandfallError USAGE for an unknown key; those of `changeFields`
 */
export async function removeKey(facts: Facts, name: string, yes = false): Promise<void> {
  const value = writtenEntry(await currentText(facts.host), name);
  if (value === undefined) {
    throw new LandfallError(
      'USAGE',
      inLanguage({
        en: `the site has no relay key ${JSON.stringify(name)}`,
        zh: `站点没有中继密钥 ${JSON.stringify(name)}`,
      }),
      {
        hint: {
          en: 'Print the keys with `sudo landfall site show relay`.',
          zh: '用 `sudo landfall site show relay` 查看密钥。',
        },
      },
    );
  }
  await changeFields(facts, [{ action: 'remove', field, value }], yes);
}

/** Returns an entry of `relay.keys`: the name alone, or with its limits. */
export function entryOf(name: string, options: KeyOptions): string | object {
  const limits = {
    models: options.models,
    tokens_per_day: options.tokensPerDay,
    tokens_per_month: options.tokensPerMonth,
    requests_per_day: options.requestsPerDay,
    expires: options.expires,
  };
  return Object.values(limits).some((limit) => limit !== undefined) ? { name, ...limits } : name;
}

/** Returns the entry of a key in site.yaml as JSON, with its fields in the order of the file. */
export function writtenEntry(text: string, name: string): string | undefined {
  const { relay } = Object(parseYamlText(text, siteName).value);
  const { keys } = Object(relay);
  const entry = Array.isArray(keys) ? keys.find((each) => nameOf(each) === name) : undefined;
  return entry === undefined ? undefined : JSON.stringify(entry);
}

function nameOf(entry: unknown): unknown {
  return typeof entry === 'string' ? entry : Object(entry).name;
}

/** @throws LandfallError USAGE unless standard output is a terminal, which shows a key */
export function requireTerminal(): void {
  if (process.stdout.isTTY) return;
  throw new LandfallError(
    'USAGE',
    inLanguage({ en: 'standard output is not a terminal', zh: '标准输出不是终端' }),
    {
      hint: {
        en: 'Run it on a terminal, which shows the new key. `sudo landfall credentials --json` prints keys to a file or a pipe.',
        zh: '在终端中运行，它会显示新密钥。要写入文件或管道，请用 `sudo landfall credentials --json`。',
      },
    },
  );
}

/** Prints a key that is new. After an answer of no there is none. */
async function printKey(
  { host }: Pick<Facts, 'host'>,
  name: string,
  before?: string,
): Promise<void> {
  const key = await readSecret(host, relayKeyName(name));
  if (key === undefined || key === before) return;
  console.log(inLanguage({ en: `Relay key ${name}: ${key}`, zh: `中继密钥 ${name}：${key}` }));
}
