import { parseOpening } from '#contract/site/opening.ts';
import { siteSchema } from '#contract/site/site.ts';
import { nameOf } from './field-name.ts';
import { secretLooks } from './secret-signs.ts';

/** Fields of an appliance that hold a version. */
const versionField =
  /^(?:version|updates_from|node\.version|compose_plugin\.version|clients\.sing-box\.version)$/;

/** Returns what to write instead of a value, as the end of a sentence. */
type Adviser = (value: string) => string;

/**
 * The fields whose invalid values are printed. They contain names, where users do not write secrets.
 * Values of other fields are never printed.
 */
const advisers: ReadonlyArray<readonly [RegExp, Adviser]> = [
  [/^hosts\.[a-z]+$/, adviseHost],
  [/^models\[\d+\](?:\.name)?$/, adviseModel],
  [/^ports\.[a-z]+$/, () => 'write a number from 1 to 65535, such as 3001'],
  [/^admin\.email$/, () => 'write an address such as me@example.com'],
  [versionField, () => 'write three numbers, such as 1.0.0'],
  [/^firewall\.allow\[\d+\]$/, adviseOpening],
];

/** Short, on one line, and without control characters. */
const showable = /^[\x21-\x7e](?:[\x20-\x7e]{0,78}[\x21-\x7e])?$/;

/** Returns the value of a field and advice; undefined if there is none, or the value may be secret. */
export function adviceOn(path: readonly PropertyKey[], value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value);
  const adviser = advisers.find(([field]) => field.test(nameOf(path)))?.[1];
  const ascii = asciiHost(path, text);
  if (ascii !== undefined) return `In DNS, this name is ${ascii}: write that.`;
  if (!adviser || !showable.test(text) || secretLooks(text)) return undefined;
  const advice = adviser(text);
  // YAML parses 1.0 as the number 1, so the value differs from the text in the file.
  const isRounded = typeof value === 'number' && versionField.test(nameOf(path));
  if (isRounded) return `${advice.charAt(0).toUpperCase()}${advice.slice(1)}.`;
  return `The value is ${text}; ${advice}.`;
}

/** Fields with a host name, or with a URL. */
const hostFields = /^hosts\.|^release(?:\[|$)|\burl$|_url$|^mirrors\.|^dns\./;

/** Returns the ASCII form of a host name in another script (RFC 5891); undefined for other values. */
function asciiHost(path: readonly PropertyKey[], text: string): string | undefined {
  const host = /^(?:[a-z]+:\/\/)?([^/?#@:]+)/i.exec(text)?.[1] ?? '';
  const isForeign = /[^\x20-\x7e]/.test(host) && !/\s/.test(host);
  if (!isForeign || !hostFields.test(nameOf(path)) || !URL.canParse(`https://${host}`)) {
    return undefined;
  }
  return new URL(`https://${host}`).hostname;
}

function adviseHost(value: string): string {
  const bare = value
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .replace(/[/?#].*$/, '')
    .replace(/:\d+$/, '')
    .replace(/\.$/, '');
  if (/^[\d.]+$|^\[?[0-9a-f]*:[0-9a-f:.]*\]?$/.test(bare)) {
    return 'an IP address is not a host name: remove hosts to serve the UI at the address';
  }
  if (isHostName(bare)) return `write ${bare}`;
  return 'write the full DNS name, such as chat.example.com';
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
  if (tag) return 'write a tag of letters, digits, dots, dashes and underscores, such as qwen3:8b';
  return /^[\w.-]+$/.test(name)
    ? `add a size tag, such as ${name}:8b; see https://ollama.com/library/${name}/tags`
    : 'write a name and a size tag, such as qwen3:8b';
}
