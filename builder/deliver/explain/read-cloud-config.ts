import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type LineCounter,
  type Pair,
  type Scalar,
  visit,
  type YAMLMap,
} from 'yaml';
import { decodeUtf8, fromBase64 } from '#contract/text/bytes.ts';
import { parseForeignYaml } from '#yaml/document.ts';
import type { ReadContent, ReadFile, Setting } from './content.ts';
import { type Finding, type Lines, quoted, shown } from './finding.ts';

/** Findings of one kind; more of them add nothing. */
const maxOfKind = 20;

/**
 * Reads a cloud-config. Tags, anchors, duplicate keys and a second document are findings.
 * @param above lines of the file before this text
 * @throws LandfallError CONFIG_SYNTAX
 */
export function readCloudConfig(text: string, file: string, above = 0): ReadContent {
  const { document, second, lines } = parseForeignYaml(text, file);
  const reader = new Reader(lines, above, text.length);
  const root = document.contents;
  const pairs: readonly Pair[] = isMap(root) ? root.items : [];
  const files: ReadFile[] = [];
  const settings: Setting[] = [];
  for (const pair of pairs) {
    const name = String(plain(pair.key));
    const isFiles = name === 'write_files' && isSeq(pair.value);
    const entries: readonly unknown[] = isFiles && isSeq(pair.value) ? pair.value.items : [];
    if (!isFiles) settings.push({ name, value: plain(pair.value), lines: reader.linesOf(pair) });
    for (const entry of entries) {
      if (isMap(entry) && entry.has('path')) files.push(reader.fileOf(entry));
      else settings.push({ name, value: plain(entry), lines: reader.linesOf(entry) });
    }
  }
  const isMapping = root === null || isMap(root);
  const findings = [
    ...(isMapping ? [] : [reader.noMapping(root)]),
    ...reader.signsIn(document),
    ...(second ? [reader.secondDocument(second)] : []),
  ];
  return { settings, files, findings };
}

class Reader {
  readonly #lines: LineCounter;
  readonly #above: number;
  readonly #length: number;

  constructor(lines: LineCounter, above: number, length: number) {
    this.#lines = lines;
    this.#above = above;
    this.#length = length;
  }

  linesOf(node: unknown): Lines {
    const [key, value] = isNode(node) ? [node, node] : [(node as Pair).key, (node as Pair).value];
    const start = startOf(key);
    const end = isNode(value) && value.range ? value.range[1] : start;
    return { first: this.#lineAt(start), last: this.#lineAt(Math.max(start, end - 1)) };
  }

  fileOf(entry: YAMLMap): ReadFile {
    const field = (name: string): unknown => entry.get(name, true);
    const content = field('content');
    const others = entry.items.filter(({ key }) => !/^(?:path|content)$/.test(String(plain(key))));
    const encoding = String(plain(field('encoding')) ?? '');
    const isLiteral = isScalar(content) && content.type === 'BLOCK_LITERAL';
    return {
      path: String(plain(field('path'))),
      content: decoded(plain(content), encoding),
      attributes: new Map(others.map(({ key, value }) => [String(plain(key)), plain(value)])),
      lines: this.linesOf(entry),
      contentLine: isLiteral ? this.#lineAt(startOf(content)) + 1 : undefined,
    };
  }

  /** Returns a finding for each tag, anchor, alias and duplicate key. */
  signsIn(document: Document.Parsed): Finding[] {
    const findings: Finding[] = [];
    visit(document, {
      Node: (_key, node) => {
        const sign = signOf(node);
        if (sign !== undefined) findings.push(this.#yamlSign(node, sign));
        if (isMap(node)) findings.push(...this.#duplicatesIn(node));
        return findings.length >= maxOfKind ? visit.BREAK : undefined;
      },
    });
    return findings.slice(0, maxOfKind);
  }

  secondDocument({ range }: Document.Parsed): Finding {
    const first = this.#lineAt(range[0]);
    return {
      ...{ kind: 'document', subject: '---', line: first },
      covers: { first, last: this.#lineAt(this.#length) },
      text: {
        en: 'a second YAML document begins here; cloud-init rejects or ignores it',
        zh: '这里开始第二个 YAML 文档；cloud-init 会拒绝或忽略它',
      },
    };
  }

  noMapping(root: unknown): Finding {
    const covers = this.linesOf(root);
    return {
      ...{ kind: 'format', subject: 'cloud-config', line: covers.first, covers },
      text: {
        en: 'this cloud-config is no mapping of keys; cloud-init ignores it',
        zh: '这份 cloud-config 不是键值映射，cloud-init 会忽略它',
      },
    };
  }

  #yamlSign(node: unknown, sign: string): Finding {
    const { first } = this.linesOf(node);
    const text = quoted(sign);
    return {
      ...{ kind: 'yaml', subject: shown(sign), line: first },
      text: {
        en: `${text} is a tag, an anchor or an alias of YAML, which Landfall does not write`,
        zh: `${text} 是 YAML 的标签、锚点或别名，Landfall 不会写入`,
      },
    };
  }

  #duplicatesIn(map: YAMLMap): Finding[] {
    const seen = new Set<string>();
    return map.items.flatMap(({ key }): Finding[] => {
      const name = String(plain(key));
      const isKnown = seen.has(name);
      seen.add(name);
      if (!isKnown) return [];
      const text = quoted(name);
      return [
        {
          ...{ kind: 'duplicate-key', subject: shown(name), line: this.#lineAt(startOf(key)) },
          text: {
            en: `the key ${text} occurs twice; programs differ in which one they use`,
            zh: `键 ${text} 出现了两次；不同程序采用的不一样`,
          },
        },
      ];
    });
  }

  #lineAt(offset: number): number {
    return this.#above + Math.max(this.#lines.linePos(offset).line, 1);
  }
}

function startOf(node: unknown): number {
  return isNode(node) ? (node.range?.[0] ?? 0) : 0;
}

/** Returns what gives a node another meaning than its text. */
function signOf(node: unknown): string | undefined {
  if (isAlias(node)) return `*${node.source}`;
  if (!isScalar(node) && !isCollection(node)) return undefined;
  const { anchor, tag } = node as Scalar;
  return anchor === undefined ? tag : `&${anchor}`;
}

/** Returns the value of a node, with aliases as text: an alias bomb stays as small as its file. */
function plain(node: unknown): unknown {
  if (isAlias(node)) return `*${node.source}`;
  if (isScalar(node)) return node.value;
  if (isSeq(node)) return node.items.map(plain);
  if (!isMap(node)) return node ?? null;
  return Object.fromEntries(node.items.map(({ key, value }) => [String(plain(key)), plain(value)]));
}

/** Decodes the content of a file; undefined if it needs more than base64. */
function decoded(content: unknown, encoding: string): string | undefined {
  if (content === null) return '';
  if (typeof content !== 'string') return undefined;
  if (encoding === '' || encoding === 'text/plain') return content;
  if (!/^(?:b64|base64)$/i.test(encoding)) return undefined;
  const bytes = fromBase64(content.replaceAll(/\s/g, ''));
  return bytes && decodeUtf8(bytes);
}
