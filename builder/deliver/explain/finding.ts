import { inBoth, type Text } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { secretLooks } from '#explain/secret-signs.ts';

/** What a finding is about. Programs compare it. */
export type FindingKind =
  | 'format' // another format than those of Landfall, or none
  | 'part' // a part of a multipart message
  | 'line-breaks'
  | 'character' // a character that Landfall never writes
  | 'yaml' // a tag, an anchor or an alias
  | 'duplicate-key'
  | 'document' // a second YAML document
  | 'setting' // a key of cloud-config
  | 'file' // an entry of write_files
  | 'script'
  | 'key'
  | 'site'
  | 'boot' // boot.json
  | 'line'
  | 'missing'
  | 'not-compared';

/** Lines of a file, 1-based, both included. */
export interface Lines {
  readonly first: number;
  readonly last: number;
}

/** Something in user-data that Landfall would not write, or that cannot be compared. */
export interface Finding {
  readonly kind: FindingKind;
  /** Path, key, name or field. Untrusted. */
  readonly subject: string;
  /** 1-based; absent if it is about no line. */
  readonly line?: number | undefined;
  readonly text: Text;
  /** Lines that need no other finding. */
  readonly covers?: Lines | undefined;
}

/** Returns untrusted text on one line. What may be a secret is not shown. */
export function shown(text: string): string {
  return secretLooks(text) ? '…' : plainLine(text, 100);
}

/** Returns untrusted text as code. */
export function quoted(text: string): string {
  return `\`${shown(text)}\``;
}

/** Says that something is one value instead of another. What looks alike differs in what is not shown. */
export function insteadOf(actual: Text, expected: Text): Text {
  if (actual.en === expected.en) {
    return {
      en: `${actual.en}, with other spaces, hidden characters or another end`,
      zh: `${actual.zh}，但空格、隐藏字符或结尾不同`,
    };
  }
  return {
    en: `${actual.en} instead of ${expected.en}`,
    zh: `应为 ${expected.zh}，实为 ${actual.zh}`,
  };
}

/** Returns the findings of the first items, and one that counts the rest: hostile files can have thousands. */
export function findingsOf<Item>(
  items: readonly Item[],
  max: number,
  describe: (item: Item) => Finding | readonly Finding[],
): Finding[] {
  const more = items.length - max;
  const rest: Finding = {
    ...{ kind: 'line', subject: String(more) },
    text: { en: `${more} more differences are not listed`, zh: `另有 ${more} 处不同，未列出` },
  };
  return [...items.slice(0, max).flatMap(describe), ...(more > 0 ? [rest] : [])];
}

/** The first line in which two texts differ. */
interface Difference {
  /** 1-based. */
  readonly line: number;
  readonly text: Text;
}

/** Returns the first line in which a text differs from the expected one; undefined if it does not. */
export function firstDifference(actual: string, expected: string): Difference | undefined {
  if (actual === expected) return undefined;
  const [own, other] = [actual.split('\n'), expected.split('\n')];
  const index = own.findIndex((line, at) => line !== other[at]);
  const at = index === -1 ? own.length : index;
  const lineOr = (line: string | undefined) =>
    line === undefined ? { en: 'the end', zh: '结尾' } : inBoth(quoted(line));
  return { line: at + 1, text: insteadOf(lineOr(own[at]), lineOr(other[at])) };
}
