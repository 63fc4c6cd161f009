import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { rules } from '#contract/bundle/refusals.ts';
import { allErrorCodes } from '#contract/error-codes.ts';
import { type ErrorCode, exitCodeOf, isNetworkError, LandfallError } from '#contract/errors.ts';

const english = {
  page: 'docs/errors.md',
  retriable: ['yes', 'no'],
  sentence: /^[A-Zr`].*\.$/,
} as const;
const chinese = {
  page: 'docs/zh/errors.md',
  retriable: ['是', '否'],
  sentence: /\p{Script=Han}.*。$/u,
} as const;

/** Returns the cells of every row of a Markdown table whose first cell is code. */
function rowsOf(page: string): string[][] {
  const text = readFileSync(new URL(`../../../../${page}`, import.meta.url), 'utf8');
  return text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.slice(2, -2).split(' | '));
}

const isCodeRow = ([, exit = '']: string[]) => /^\d+$/.test(exit);
const codeRows = rowsOf(english.page).filter(isCodeRow);

describe.each([english, chinese])('$page', ({ page, retriable: [yes, no], sentence }) => {
  const rows = rowsOf(page);
  const codeRows = rows.filter(isCodeRow);

  it('lists every code with its exit code and retriable, in the order of the source', () => {
    const documented = codeRows.map(([code, exit, retriable]) => ({
      code: code?.replaceAll('`', ''),
      exit: Number(exit),
      retriable: retriable === yes ? true : retriable === no ? false : retriable,
    }));
    const known = allErrorCodes().map(({ code, exit, retriable }) => ({ code, exit, retriable }));
    const missing = known
      .filter(({ code }) => !documented.some((row) => row.code === code))
      .map((row) => `| \`${row.code}\` | ${row.exit} | ${row.retriable ? yes : no} | … | … |`);
    expect(missing, `add each row to ${page}, with a cause and an action`).toEqual([]);
    expect(documented, 'use the values and the order of error-codes.ts').toEqual(known);
  });

  it('describes every code and its action, in whole sentences', () => {
    for (const [code, , , happened, advice, ...more] of codeRows) {
      expect({ code, happened, advice, more }).toEqual({
        code,
        happened: expect.stringMatching(sentence),
        advice: expect.stringMatching(sentence),
        more: [],
      });
    }
  });

  it('lists every rule of the verifier with its code and what it requires, and no other', () => {
    const ruleRows = rows.filter(([, code]) => code?.startsWith('`BUNDLE_'));
    const listed = ruleRows.map(([rule, code]) => [rule, code]);
    const expected = Object.entries(rules).map(([rule, code]) => [`\`${rule}\``, `\`${code}\``]);
    expect(listed).toEqual(expected);
    for (const [rule, , text] of ruleRows) expect(text, rule).toMatch(sentence);
  });

  it('lists no duplicate codes', () => {
    const codes = codeRows.map(([code]) => code);
    expect(codes).toEqual([...new Set(codes)]);
  });
});

describe('an error', () => {
  it('stores the code, message, hint and cause of an error', () => {
    const cause = new Error('ENOENT');
    const error = new LandfallError('FILE_MISSING', 'there is no file', { hint: 'Look.', cause });
    expect(error).toMatchObject({
      name: 'LandfallError',
      code: 'FILE_MISSING',
      message: 'there is no file',
      hint: 'Look.',
      problems: [],
      cause,
    });
  });

  it('stores no cause of an error by default', () => {
    expect('cause' in new LandfallError('USAGE', 'no')).toBe(false);
  });

  it('makes an error retriable according to its code, unless the throw site overrides it', () => {
    expect(new LandfallError('NETWORK_TIMEOUT', 'no').retriable).toBe(true);
    expect(new LandfallError('USAGE', 'no').retriable).toBe(false);
    expect(new LandfallError('USAGE', 'no', { retriable: true }).retriable).toBe(true);
    expect(new LandfallError('NETWORK_TIMEOUT', 'no', { retriable: false }).retriable).toBe(false);
  });

  it('detects an error of the network by its family', () => {
    const network = allErrorCodes().filter(({ code }) =>
      isNetworkError(new LandfallError(code, '')),
    );
    expect(network.map(({ code }) => code)).toEqual([
      'NETWORK_UNREACHABLE',
      'NETWORK_TIMEOUT',
      'NETWORK_TLS',
      'NETWORK_PROXY',
    ]);
    expect(isNetworkError(Object.assign(new Error(), { code: 'NETWORK_TLS' }))).toBe(false);
  });

  it('creates an error as an Error with a stack', () => {
    const error = new LandfallError('USAGE', 'no');
    expect(error).toBeInstanceOf(Error);
    expect(error.stack).toContain('errors.test.ts');
  });
});

describe('an exit code', () => {
  // As scripts of users rely on them: from the page that documents them.
  it.each(codeRows)('maps the error %s to the exit code %s', (cell, exit) => {
    const code = cell?.replaceAll('`', '') as ErrorCode;
    expect(exitCodeOf(new LandfallError(code, 'no'))).toBe(Number(exit));
  });

  it.each([new Error('no'), 'no', undefined, { code: 'USAGE' }])(
    'maps the error %s to the exit code 1',
    (error) => {
      expect(exitCodeOf(error)).toBe(1);
    },
  );

  it('never has a special meaning in shells: 0, 1, 126 and up', () => {
    for (const { exit } of allErrorCodes()) {
      expect(exit).toBeGreaterThan(1);
      expect(exit).toBeLessThan(126);
    }
  });
});
