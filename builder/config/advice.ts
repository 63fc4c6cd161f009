import { parseOpening } from '#contract/site/opening.ts';
import { siteSchema } from '#contract/site/site.ts';
import { nameOf } from './field-name.ts';
import { secretLooks } from './secret-signs.ts';

/** Fields of an appliance that hold a version. */
const versionField = /^(?:version|updates_from|node\.version|compose_plugin\.version)$/;

/** What to write instead of a value, as the end of a sentence that shows it. */
type Adviser = (value: string) => string;

/**
 * The fields whose wrong values are shown. They hold names and nothing that a person would take for
 * the place of a secret; of other fields no word is repeated.
 */
const advisers: ReadonlyArray<readonly [RegExp, Adviser]> = [
  [/^hosts\.[a-z]+$/, adviseHost],
  [/^models\[\d+\](?:\.name)?$/, adviseModel],
  [/^ports\.[a-z]+$/, () => 'write a number from 1 to 65535, such as 3001'],
  [/^admin\.email$/, () => 'write an address such as me@example.com'],
  [versionField, () => 'write all three numbers, such as 1.0.0'],
  [/^firewall\.allow\[\d+\]$/, adviseOpening],
];

/** Short, on one line, and without what a terminal could act on. */
const showable = /^[\x21-\x7e](?:[\x20-\x7e]{0,78}[\x21-\x7e])?$/;

/** What a field says and what it should say, where that helps and cannot give a secret away. */
export function adviceOn(path: readonly PropertyKey[], value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value);
  const adviser = advisers.find(([field]) => field.test(nameOf(path)))?.[1];
  if (!adviser || !showable.test(text) || secretLooks(text)) return undefined;
  const advice = adviser(text);
  // YAML reads 1.0 as the number 1, which is not what the user wrote.
  const isRounded = typeof value === 'number' && versionField.test(nameOf(path));
  if (isRounded) return `${advice.charAt(0).toUpperCase()}${advice.slice(1)}.`;
  return `It says ${text}; ${advice}.`;
}

function adviseHost(value: string): string {
  const bare = value
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .replace(/[/?#].*$/, '')
    .replace(/:\d+$/, '')
    .replace(/\.$/, '');
  if (/^[\d.]+$|^\[?[0-9a-f]*:[0-9a-f:.]*\]?$/.test(bare)) {
    return 'an address is no host name: leave hosts out, and the UI answers under the address';
  }
  if (isHostName(bare)) return `write ${bare}`;
  return 'write the whole name that your DNS has, such as chat.example.com';
}

function isHostName(text: string): boolean {
  return siteSchema.shape.hosts.safeParse({ ui: text }).success;
}

function adviseOpening(value: string): string {
  return parseOpening(`${value}/tcp`)
    ? `write ${value}/tcp or ${value}/udp`
    : 'write a port with its protocol, such as 8443/tcp';
}

function adviseModel(value: string): string {
  const [name = '', tag] = value.split(':');
  if (tag) return 'a tag has letters, digits, dots, dashes and underscores, as in qwen3:8b';
  return /^[\w.-]+$/.test(name)
    ? `write its size too, such as ${name}:8b; https://ollama.com/library/${name}/tags lists them`
    : 'write a name and a size, such as qwen3:8b';
}
