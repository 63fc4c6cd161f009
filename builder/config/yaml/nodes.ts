import { type Alias, type Document, isAlias, isMap, isPair, isScalar, isSeq, visit } from 'yaml';
import { hasUnseen } from './decode-text.ts';
import type { SyntaxFinding } from './wording.ts';

/** More than any stack uses, less than it takes to hurt. */
const maxAliases = 100;
/** Values that aliases may add to those written in the file. */
const maxAliasedValues = 10_000;

/**
 * Checks what the library lets pass (escapes of invisible characters, aliases that contain
 * themselves), what it finds only in quadratic time (duplicate keys), and what it reports without a
 * place and too late (unknown aliases, alias bombs, merges of what is no map). Nesting is bounded
 * already.
 */
export function judgeNodes(document: Document): SyntaxFinding[] {
  const judge = new NodeJudge();
  visit(document, (_key, node, path) => judge.see(node, path));
  return judge.findings;
}

/** What is known at one node of a walk in the order of the text. */
class NodeJudge {
  readonly findings: SyntaxFinding[] = [];
  readonly #anchors = new Map<string, unknown>();
  /** How many values each alias stands for. */
  readonly #sizes = new Map<unknown, number>();
  #aliasedValues = 0;

  /** Takes the next node. @returns `visit.BREAK` where the rest needs no look */
  see(node: unknown, path: readonly unknown[]): symbol | undefined {
    if (isAlias(node)) return this.#seeAlias(node, path);
    if ((isScalar(node) || isMap(node) || isSeq(node)) && node.anchor) {
      this.#anchors.set(node.anchor, node);
    }
    if (isScalar(node) && typeof node.value === 'string' && hasUnseen(node.value)) {
      const message = 'an escape in this text makes an invisible character';
      this.#report(node, message, 'Remove the escape.');
    }
    if (isMap(node)) this.#findDuplicates(node.items.map(({ key }) => key));
    if (isPair(node) && isMergeKey(node.key) && !this.#isMergeable(node.value)) {
      const hint = 'Give it an alias of a map, such as "<<: *defaults".';
      this.#report(node.key, 'a merge ("<<") needs a map, or a list of maps', hint);
    }
    return undefined;
  }

  #seeAlias(alias: Alias, path: readonly unknown[]): symbol | undefined {
    const source = this.#anchors.get(alias.source);
    if (source === undefined || path.includes(source)) {
      const problem = source ? 'contains itself' : 'stands for nothing above it';
      const hint = 'Name an anchor ("&name") from further up, or put the text in quotes.';
      this.#report(alias, `the alias *${alias.source} ${problem}`, hint);
      return undefined;
    }
    const size = this.#sizeOf(source);
    this.#sizes.set(alias, size);
    this.#aliasedValues += size;
    if (this.#sizes.size <= maxAliases && this.#aliasedValues <= maxAliasedValues) return undefined;
    const message = 'anchors and aliases multiply into more data than a configuration needs';
    this.#report(alias, message, 'Write the values out instead of repeating them by alias.');
    return visit.BREAK;
  }

  /** The values that a node stands for; stops counting once they are too many. */
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
      const hint = 'A key may stand in a mapping once; keep one of the two.';
      if (seen.has(name)) this.#report(key, `the key ${name.slice(0, 64)} is there twice`, hint);
      seen.add(name);
    }
  }

  /** An alias of nothing gets its own finding. */
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
