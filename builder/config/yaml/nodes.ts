import {
  type Alias,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Pair,
} from 'yaml';
import { hasUnseen } from './decode-text.ts';
import type { SyntaxFinding } from './wording.ts';

/** More than any stack uses, less than it takes to hurt. */
const maxAliases = 100;
/** Values that aliases may add to those written in the file. */
const maxAliasedValues = 10_000;

interface Anchor {
  readonly node: unknown;
  /** How many values it stands for; undefined while its own content is being read. */
  values: number | undefined;
}

/**
 * Checks what the parser lets pass: duplicate keys, aliases that are unknown, circular or multiply
 * into a bomb, merges of what is no map, escapes that make invisible characters. It runs before the
 * document becomes data, so a bomb is counted and never built. Nesting is bounded already.
 */
export function judgeNodes(document: Document): SyntaxFinding[] {
  const walk: Walk = {
    findings: [],
    anchors: new Map(),
    aliases: 0,
    aliasedValues: 0,
    bombFound: false,
  };
  count(document.contents, walk);
  return walk.findings;
}

interface Walk {
  readonly findings: SyntaxFinding[];
  readonly anchors: Map<string, Anchor>;
  aliases: number;
  aliasedValues: number;
  bombFound: boolean;
}

/** Visits a node in the order of the text and gives the number of values that it stands for. */
function count(node: unknown, walk: Walk): number {
  if (isAlias(node)) return countAlias(node, walk);
  const anchor: Anchor = { node, values: undefined };
  const name = isCollection(node) || isScalar(node) ? node.anchor : undefined;
  if (name) walk.anchors.set(name, anchor);
  const values = 1 + countContent(node, walk);
  anchor.values = values;
  return values;
}

function countContent(node: unknown, walk: Walk): number {
  if (isScalar(node) && typeof node.value === 'string' && hasUnseen(node.value)) {
    report(walk, node, 'an escape in this text makes an invisible character', 'Remove the escape.');
  }
  if (isMap(node)) {
    findDuplicates(node.items, walk);
    return node.items.reduce((sum, pair) => sum + countPair(pair, walk), 0);
  }
  if (isSeq(node)) return node.items.reduce<number>((sum, item) => sum + countItem(item, walk), 0);
  return 0;
}

function countItem(item: unknown, walk: Walk): number {
  return isPair(item) ? countPair(item, walk) : count(item, walk);
}

function countPair(pair: Pair, walk: Walk): number {
  const values = count(pair.key, walk) + count(pair.value, walk);
  if (isMergeKey(pair.key) && !isMergeable(pair.value, walk)) {
    report(
      walk,
      pair.key,
      'a merge ("<<") needs a map, or a list of maps',
      'Give it an alias of a map, such as "<<: *defaults".',
    );
  }
  return values;
}

function countAlias(alias: Alias, walk: Walk): number {
  const anchor = walk.anchors.get(alias.source);
  const problem = anchor ? 'contains itself' : 'stands for nothing above it';
  if (anchor?.values === undefined) {
    const hint = 'Name an anchor ("&name") from further up, or put the text in quotes.';
    report(walk, alias, `the alias *${alias.source} ${problem}`, hint);
    return 0;
  }
  walk.aliases += 1;
  walk.aliasedValues += anchor.values;
  const bomb = walk.aliases > maxAliases || walk.aliasedValues > maxAliasedValues;
  if (bomb && !walk.bombFound) {
    walk.bombFound = true;
    const message = 'anchors and aliases multiply into more data than a configuration needs';
    report(walk, alias, message, 'Write the values out instead of repeating them by alias.');
  }
  return anchor.values;
}

function findDuplicates(pairs: readonly Pair[], walk: Walk): void {
  const seen = new Set<string>();
  for (const { key } of pairs) {
    if (!isScalar(key) || isMergeKey(key)) continue;
    const name = String(key.value);
    if (seen.has(name)) {
      report(
        walk,
        key,
        `the key ${name.slice(0, 64)} is there twice`,
        'A key may stand in a mapping once; keep one of the two.',
      );
    }
    seen.add(name);
  }
}

function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.value === '<<' && key.type === 'PLAIN';
}

function isMergeable(value: unknown, walk: Walk): boolean {
  const source = resolved(value, walk);
  return isMap(source) || (isSeq(source) && source.items.every((it) => isMap(resolved(it, walk))));
}

function resolved(node: unknown, walk: Walk): unknown {
  return isAlias(node) ? walk.anchors.get(node.source)?.node : node;
}

function report(walk: Walk, node: unknown, message: string, hint: string): void {
  walk.findings.push({ offset: isNode(node) ? (node.range?.[0] ?? 0) : 0, message, hint });
}
