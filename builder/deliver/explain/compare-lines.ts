import { type Finding, findingsOf, type Lines, quoted, shown } from './finding.ts';

const maxLines = 20;

/**
 * Compares two texts line by line, from their first to their last difference. It finds what other comparisons
 * do not see: comments, the form of YAML, and lines of a script.
 * @param covered lines that have a finding
 */
export function compareLines(text: string, expected: string, covered: readonly Lines[]): Finding[] {
  if (text === expected) return [];
  const [own, other] = [text.split('\n'), expected.split('\n')];
  const shorter = Math.min(own.length, other.length);
  let start = 0;
  while (start < shorter && own[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && own.at(-1 - end) === other.at(-1 - end)) end += 1;
  const [ownMiddle, otherMiddle] = [own, other].map((all) => all.slice(start, all.length - end));
  const known = new Set(otherMiddle);
  const present = new Set(ownMiddle);
  const isCovered = new Uint8Array(own.length + 2);
  for (const { first, last } of covered) isCovered.fill(1, first, last + 1);
  const added = (ownMiddle ?? [])
    .map((content, index) => ({ content, line: start + index + 1 }))
    .filter(({ content, line }) => !known.has(content) && !isCovered[line]);
  // Other missing lines belong to what has a finding.
  const missing = (otherMiddle ?? [])
    .filter((content) => !present.has(content))
    .filter((content) => covered.length + added.length === 0 || content.startsWith('#'));
  const findings = [
    ...findingsOf(added, maxLines, additional),
    ...findingsOf(missing, maxLines, absent),
  ];
  if (findings.length + covered.length > 0) return findings;
  return [otherOrder(start + 1)];
}

function additional({ content, line }: { content: string; line: number }): Finding {
  return {
    ...{ kind: 'line', subject: shown(content), line },
    text: {
      en: `Landfall would not write the line ${quoted(content)}`,
      zh: `Landfall 不会写入这一行：${quoted(content)}`,
    },
  };
}

function absent(content: string): Finding {
  return {
    ...{ kind: 'missing', subject: shown(content) },
    text: {
      en: `the line ${quoted(content)} of Landfall is missing`,
      zh: `缺少 Landfall 的这一行：${quoted(content)}`,
    },
  };
}

function otherOrder(line: number): Finding {
  return {
    ...{ kind: 'line', subject: 'order', line },
    text: {
      en: 'lines are repeated, or in another order than Landfall writes them',
      zh: '有重复的行，或顺序与 Landfall 写的不同',
    },
  };
}
