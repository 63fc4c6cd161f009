/** A word that the project does not use, and what to write instead. */
export interface Avoided {
  readonly pattern: RegExp;
  readonly instead: string;
}

const actor = 'name the actor (the user, sshd, another process) or use the passive';

/**
 * Words of riddles and personification. The style guide is plain English with one word per thing;
 * this list holds those that crept in most often.
 */
export const avoided: readonly Avoided[] = [
  { pattern: /\bnobody\b/i, instead: actor },
  { pattern: /\b(?:somebody|anybody|everybody)\b/i, instead: actor },
  { pattern: /\bwhoever\b/i, instead: actor },
  { pattern: /\bby (?:itself|themselves)\b/i, instead: 'automatically, alone, or leave it out' },
  { pattern: /\b(?:lies|lie|lying) (?:in|at|on|below|above|beside|there|here)\b/i, instead: 'is' },
  { pattern: /\b(?:is|are|was|were|all) well\b(?!-)/i, instead: 'healthy, or correct' },
  { pattern: /\btakes? root\b/i, instead: 'must be run as root' },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, instead: 'fix' },
  { pattern: /\bcut short\b/i, instead: 'truncated' },
  { pattern: /\bcome what may\b/i, instead: 'always' },
  { pattern: /\bhas not the\b/i, instead: 'is missing the' },
  { pattern: /\b(?:knows|tells) nothing\b/i, instead: 'say what is missing' },
  { pattern: /\bpatience\b/i, instead: 'timeout or stall timeout' },
  { pattern: /\bworkshop\b/i, instead: 'build context' },
  { pattern: /\bways out\b/i, instead: 'egress' },
  { pattern: /\banew\b/i, instead: 'again' },
  { pattern: /\bfor ever\b/i, instead: 'forever' },
  { pattern: /\b(?:is|are|was|were) told\b/i, instead: 'gets, is configured, or is reported' },
  { pattern: /\b(?:is|are|was|were) (?:not )?believed\b/i, instead: 'trusted, or accepted' },
  { pattern: /\b(?:is|are|was|were) made good\b/i, instead: 'repaired' },
];

/** Lines in which one of these words is a name. */
const names: readonly RegExp[] = [
  // The Unix account nobody.
  /\b(?:user|User|group)[ =:"']{1,3}nobody\b|\bnobody:nogroup\b|'nobody'|`nobody`/,
];

/** Returns what to write instead of the words in a line, one sentence each. */
export function adviceOnWords(line: string): string[] {
  if (names.some((pattern) => pattern.test(line))) return [];
  return avoided.flatMap(({ pattern, instead }) => {
    const [found] = pattern.exec(line) ?? [];
    return found === undefined ? [] : [`"${found}": ${instead}`];
  });
}

/** The table of terms in CONTRIBUTING: the Chinese words of the project, and those that it avoids. */
export interface ChineseTerms {
  readonly used: readonly string[];
  readonly avoided: ReadonlyMap<string, string>;
}

/** Reads the table of Chinese terms of a document. */
export function chineseTermsIn(document: string): ChineseTerms {
  const [, table = ''] = document.split('| English | 中文 | not |\n|---|---|---|\n');
  const rows = table.split('\n\n')[0]?.trim().split('\n') ?? [];
  const cells = rows.map((row) => row.split('|').map((cell) => cell.trim()));
  const listed = (cell = '') => cell.split(/[、；]/).filter(Boolean);
  return {
    used: cells.flatMap(([, , used]) => listed(used)),
    avoided: new Map(
      cells.flatMap(([, , used = '', not]) => listed(not).map((word) => [word, used] as const)),
    ),
  };
}

/** Returns what to write instead of the Chinese words in a line. A used term may contain one of them. */
export function adviceOnChinese(line: string, { used, avoided }: ChineseTerms): string[] {
  const rest = used.reduce((text, term) => text.replaceAll(term, ''), line);
  return [...avoided]
    .filter(([word]) => rest.includes(word))
    .map(([word, instead]) => `"${word}": ${instead}`);
}
