import { type Alias, type Document, isAlias, isMap, isPair, isScalar, isSeq, visit } from 'yaml';
import { inLanguage } from '#contract/text/language.ts';
import { hasUnseen } from './decode-text.ts';
import { mistakeInScalar } from './typing-mistakes.ts';
import type { SyntaxFinding } from './wording.ts';

/** More than any real file uses, but cheap to process: of people, and of programs. */
const maxAliases = { byHand: 100, asText: 5000 };

/** How a document is parsed. */
export interface DocumentOptions {
  /**
   * Whether every scalar is the text in the file, so that `0123` stays `0123`; only `null` and `~` are
   * null. Programs write such files, which may contain secrets, so errors do not repeat names: a
   * password that begins with `*` without quotes is an alias.
   */
  readonly asText?: boolean;
  /** Whether escapes may produce invisible characters. */
  readonly allowsHidden?: boolean;
}

/** Maximum number of values that aliases may add. */
const maxAliasedValues = 10_000;

/**
 * Checks what the library does not check (escapes of invisible characters, recursive aliases),
 * checks only in quadratic time (duplicate keys), or reports late and without a position (unknown
 * aliases, alias bombs, merges of values that are not maps). Nesting is already bounded.
 * @param text the source, for corrected lines
 */
export function checkNodes(
  document: Document,
  text: string,
  options: DocumentOptions = {},
): SyntaxFinding[] {
  const checker = new NodeChecker(text, options);
  visit(document, (_key, node, path) => checker.see(node, path));
  return checker.findings;
}

/** The state of a walk over the nodes in document order. */
class NodeChecker {
  readonly findings: SyntaxFinding[] = [];
  readonly #anchors = new Map<string, unknown>();
  /** Number of values by alias. */
  readonly #sizes = new Map<unknown, number>();
  readonly #text: string;
  readonly #options: DocumentOptions;
  #aliasedValues = 0;

  constructor(text: string, options: DocumentOptions) {
    this.#text = text;
    this.#options = options;
  }

  /** Checks the next node. @returns `visit.BREAK` to stop the walk */
  see(node: unknown, path: readonly unknown[]): symbol | undefined {
    if (isAlias(node)) return this.#seeAlias(node, path);
    if ((isScalar(node) || isMap(node) || isSeq(node)) && node.anchor) {
      this.#anchors.set(node.anchor, node);
    }
    const text = isScalar(node) && typeof node.value === 'string' ? node.value : '';
    if (!this.#options.allowsHidden && hasUnseen(text)) {
      const message = inLanguage({
        en: 'an escape sequence produces an invisible character',
        zh: '转义序列产生了不可见字符',
      });
      this.#report(
        node,
        message,
        inLanguage({ en: 'Remove the escape sequence.', zh: '删除转义序列。' }),
      );
    }
    if (!this.#options.asText && isScalar(node) && node.type === 'PLAIN' && node.range) {
      const mistake = mistakeInScalar(node.source ?? '', node.range[0], this.#text);
      if (mistake) this.findings.push(mistake);
    }
    if (isMap(node)) this.#findDuplicates(node.items.map(({ key }) => key));
    if (isPair(node) && isMergeKey(node.key) && !this.#isMergeable(node.value)) {
      const hint = inLanguage({
        en: 'Use an alias of a map, such as "<<: *defaults".',
        zh: '使用映射的别名，例如 "<<: *defaults"。',
      });
      this.#report(
        node.key,
        inLanguage({
          en: 'a merge key ("<<") requires a map or a list of maps',
          zh: '合并键（"<<"）需要映射或映射的列表',
        }),
        hint,
      );
    }
    return undefined;
  }

  #seeAlias(alias: Alias, path: readonly unknown[]): symbol | undefined {
    const source = this.#anchors.get(alias.source);
    if (source === undefined || path.includes(source)) {
      const problem = source
        ? inLanguage({ en: 'contains itself', zh: '包含它自己' })
        : inLanguage({ en: 'has no anchor above it', zh: '上面没有对应的锚点' });
      const hint = inLanguage({
        en: 'Use an anchor ("&name") that is defined above, or put the text in quotes.',
        zh: '使用上面定义过的锚点（"&名称"），或给文本加上引号。',
      });
      const name = this.#options.asText ? '' : ` *${alias.source}`;
      this.#report(
        alias,
        inLanguage({ en: `the alias${name} ${problem}`, zh: `别名${name} ${problem}` }),
        hint,
      );
      return undefined;
    }
    const size = this.#sizeOf(source);
    this.#sizes.set(alias, size);
    this.#aliasedValues += size;
    const max = this.#options.asText ? maxAliases.asText : maxAliases.byHand;
    if (this.#sizes.size <= max && this.#aliasedValues <= maxAliasedValues) return undefined;
    const message = inLanguage({
      en: 'anchors and aliases expand into too much data',
      zh: '锚点和别名展开后的数据过多',
    });
    this.#report(
      alias,
      message,
      inLanguage({
        en: 'Write the values out instead of using aliases.',
        zh: '直接写出这些值，不用别名。',
      }),
    );
    return visit.BREAK;
  }

  /** Counts the values of a node; stops once there are too many. */
  #sizeOf(source: unknown): number {
    let size = 0;
    visit(source as Alias, (_key, node) => {
      if (!isPair(node)) size += this.#sizes.get(node) ?? 1;
      return size > maxAliasedValues ? visit.BREAK : undefined;
    });
    return size;
  }

  #findDuplicates(keys: readonly unknown[]): void {
    const seen = new Set<string>();
    for (const key of keys) {
      if (!isScalar(key) || isMergeKey(key)) continue;
      const name = String(key.value);
      const hint = inLanguage({ en: 'Keep one of the two keys.', zh: '两个字段只保留一个。' });
      const shown =
        this.#options.asText && !/^[\w-]{1,32}$/.test(name) ? '' : ` ${name.slice(0, 64)}`;
      if (seen.has(name))
        this.#report(
          key,
          inLanguage({ en: `duplicate key${shown}`, zh: `重复的字段${shown}` }),
          hint,
        );
      seen.add(name);
    }
  }

  /** Returns true for an unknown alias, too, because it is reported separately. */
  #isMergeable(value: unknown): boolean {
    const isUnknown = (node: unknown) => isAlias(node) && !this.#anchors.has(node.source);
    const resolved = (node: unknown) => (isAlias(node) ? this.#anchors.get(node.source) : node);
    const isMapOrUnknown = (node: unknown) => isUnknown(node) || isMap(resolved(node));
    const source = resolved(value);
    return isMapOrUnknown(value) || (isSeq(source) && source.items.every(isMapOrUnknown));
  }

  #report(node: unknown, message: string, hint: string): void {
    const offset = isScalar(node) || isAlias(node) ? (node.range?.[0] ?? 0) : 0;
    this.findings.push({ offset, message, hint });
  }
}

function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.value === '<<' && key.type === 'PLAIN';
}
