import {
  bootFolder,
  bootSettingsFile,
  bootUnitFile,
  siteFile,
  trustedKeysFolder,
} from '#contract/server-paths.ts';
import { fieldDifferences, isSameValue } from '#contract/site/brief-site.ts';
import { formatBytes } from '#contract/text/amount.ts';
import { encodeUtf8 } from '#contract/text/bytes.ts';
import { parseJson } from '#contract/text/json.ts';
import { inBoth, type Text } from '#contract/text/language.ts';
import { shownEntries, shownValue } from '#explain/shown-value.ts';
import type { ReadContent, ReadFile } from './content.ts';
import {
  type Finding,
  type FindingKind,
  findingsOf,
  firstDifference,
  insteadOf,
  quoted,
  shown,
} from './finding.ts';

/** Fields of a file that are named. */
const maxFields = 20;
const maxFiles = 200;

/** Compares the files of user-data with those that Landfall writes. */
export function compareFiles(actual: ReadContent, expected: ReadContent): Finding[] {
  const known = new Map(expected.files.map((file) => [file.path, file]));
  const byLook = new Map([...known.keys()].map((path) => [plainPath(path), path]));
  const seen = new Set<string>();
  const findings = findingsOf(actual.files, maxFiles, (file) => {
    const own = known.get(file.path);
    const isRepeated = seen.has(file.path);
    seen.add(file.path);
    if (!own) return unknownFile(file, byLook.get(plainPath(file.path)));
    return [
      ...(isRepeated ? [repeated(file)] : []),
      ...attributeFindings(file, own),
      ...contentFindings(file, own),
    ];
  });
  const present = new Set(actual.files.map(({ path }) => path));
  return [...findings, ...[...known.keys()].filter((path) => !present.has(path)).map(missing)];
}

/** Returns the kind of a finding about a file. */
function kindOf(path: string): FindingKind {
  if (path === `/${siteFile}`) return 'site';
  if (path === `/${bootSettingsFile}`) return 'boot';
  if (path.startsWith(`/${trustedKeysFolder}/`)) return 'key';
  return path === `/${bootUnitFile}` || path.startsWith(`/${bootFolder}/`) ? 'script' : 'file';
}

function about(file: ReadFile, text: Text, kind = kindOf(file.path)): Finding {
  const { path, lines } = file;
  const name = quoted(path);
  return {
    ...{ kind, subject: shown(path), line: lines.first, covers: lines },
    text: { en: `${name} ${text.en}`, zh: `${name} ${text.zh}` },
  };
}

/** @param twin the file of Landfall whose path looks the same */
function unknownFile(file: ReadFile, twin: string | undefined): Finding {
  const { path, content } = file;
  const like = twin === undefined ? { en: '', zh: '' } : resembles(twin);
  const [line = ''] = (content ?? '').split('\n', 1);
  const size = content === undefined ? '?' : formatBytes(encodeUtf8(content).length);
  const isKey = kindOf(path) === 'key';
  return about(
    file,
    {
      en: `is written, and not of Landfall: ${size}, begins with ${quoted(line)}${isKey ? '; the server trusts every key in this folder' : ''}${like.en}`,
      zh: `会被写入，但不是 Landfall 写的：${size}，开头是 ${quoted(line)}${isKey ? '；服务器信任这个目录中的每个公钥' : ''}${like.zh}`,
    },
    isKey ? 'key' : 'file',
  );
}

function resembles(path: string): Text {
  return { en: `; it only looks like ${path}`, zh: `；它只是看起来像 ${path}` };
}

/** Letters of other scripts that look like these, and digits that do. */
const twins: ReadonlyArray<readonly [RegExp, string]> = [
  [/[аɑα]/g, 'a'],
  [/[сϲ]/g, 'c'],
  [/[её]/g, 'e'],
  [/[оο0]/g, 'o'],
  [/[рρ]/g, 'p'],
  [/[хχ]/g, 'x'],
  [/[уγ]/g, 'y'],
  [/[іıɩ1l|]/g, 'i'],
  [/[ѕ]/g, 's'],
  [/[յј]/g, 'j'],
  [/[∕⁄╱]/g, '/'],
];

/** Returns a path as people read it, so that two of them that look the same are equal. */
function plainPath(path: string): string {
  const text = twins.reduce(
    (all, [pattern, letter]) => all.replaceAll(pattern, letter),
    path
      .normalize('NFKD')
      .toLowerCase()
      .replaceAll(/\p{M}|\s/gu, ''),
  );
  const parts: string[] = [];
  for (const part of text.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

function repeated(file: ReadFile): Finding {
  return about(file, {
    en: 'is written twice; the last one counts',
    zh: '被写入两次，以最后一次为准',
  });
}

function missing(path: string): Finding {
  return {
    ...{ kind: 'missing', subject: path },
    text: { en: `the file ${path} is missing`, zh: `缺少文件 ${path}` },
  };
}

function attributeFindings(file: ReadFile, expected: ReadFile): Finding[] {
  const names = new Set([...file.attributes.keys(), ...expected.attributes.keys()]);
  return [...names].flatMap((name) => {
    const [own, other] = [file.attributes.get(name), expected.attributes.get(name)];
    if (isSameValue(own, other)) return [];
    return [has(file, name, insteadOf(shownOrNone(own), shownOrNone(other)))];
  });
}

/** Says which value a file has in a field or an attribute. */
function has(file: ReadFile, name: string, value: Text): Finding {
  return about(file, {
    en: `has ${quoted(name)} ${value.en}`,
    zh: `的 ${quoted(name)} ${value.zh}`,
  });
}

function contentFindings(file: ReadFile, expected: ReadFile): Finding[] {
  const { content } = file;
  if (content === undefined) {
    return [
      about(file, {
        en: 'has content that cannot be decoded here, so it cannot be compared',
        zh: '的内容在这里无法解码，因此无法比较',
      }),
    ];
  }
  const difference = firstDifference(content, expected.content ?? '');
  if (!difference) return [];
  const kind = kindOf(file.path);
  const fields = kind === 'site' || kind === 'boot' ? fieldFindings(file, expected) : [];
  if (fields.length > 0) return fields;
  const { line, text } = difference;
  const found = about(file, {
    en: `differs in its line ${line}: ${text.en}`,
    zh: `第 ${line} 行不同：${text.zh}`,
  });
  const { contentLine } = file;
  return [contentLine === undefined ? found : { ...found, line: contentLine + line - 1 }];
}

/** Compares JSON field by field. Empty if only its form differs. */
function fieldFindings(file: ReadFile, expected: ReadFile): Finding[] {
  const own = parseJson(file.content ?? '');
  if (own === undefined) {
    return [about(file, { en: 'is not valid JSON', zh: '不是有效的 JSON' })];
  }
  const differences = [...fieldDifferences(parseJson(expected.content ?? ''), own)];
  return differences.slice(0, maxFields).map(({ field, before, after }) => {
    const [was = shownOrNone(before), is = shownOrNone(after)] =
      shownEntries(before, after)?.map(inBoth) ?? [];
    return { ...has(file, field, insteadOf(is, was)), subject: shown(field) };
  });
}

function shownOrNone(value: unknown): Text {
  return value === undefined ? { en: 'none', zh: '无' } : inBoth(shownValue(value));
}
