import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { envFile } from '../../../../appliance/stages/stack/rendered-file.ts';
import { fuzzRuns } from '../../../simulator/fuzz.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'landfall-env-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the value of the variable X in a shell. */
function inShell(text: string): string {
  const file = join(folder, 'x.env');
  writeFileSync(file, text);
  const script = `set -a && . ${file} && exec printenv X`;
  return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).replace(/\n$/, '');
}

/** Allowed values: printable, without a quote or a backslash. */
const value = fc
  .string({ maxLength: 60 })
  .filter(
    (text) =>
      !/['\\]/.test(text) && [...text].every((letter) => letter > '\u001f' && letter !== '\u007f'),
  );

describe('a file of variables', () => {
  it.each(['$HOME', '`id`', '"quoted"', '# no comment', 'a b  c', '', '${X:-y}', '!x', 'é'])(
    'writes a variable with the value %j for a shell and for Node',
    (text) => {
      const file = envFile({ X: text });
      expect(inShell(file)).toBe(text);
      expect(parseEnv(file).X).toBe(text);
    },
  );

  it('writes variables that have the same values in Node', () => {
    fc.assert(
      fc.property(value, (text) => {
        expect(parseEnv(envFile({ X: text, Y: 'after' }))).toEqual({ X: text, Y: 'after' });
      }),
    );
  });

  it('writes variables that have the same values in a shell', () => {
    fc.assert(
      fc.property(value, (text) => {
        expect(inShell(envFile({ X: text }))).toBe(text);
      }),
      { numRuns: fuzzRuns(25) },
    );
  });

  it.each(["it's", 'back\\slash', 'two\nlines', 'a\u0000b'])('rejects %j', (text) => {
    expect(() => envFile({ X: text })).toThrow(
      'X contains a quote, a backslash or a control character',
    );
  });
});
