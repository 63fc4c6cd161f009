import { posix, win32 } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pathPattern } from '#contract/bundle/bundle-paths.ts';
import { fuzzRuns } from '../../../../simulator/fuzz.ts';

describe('a path inside a bundle', () => {
  it.each([
    'a',
    'appliance.yaml',
    'bin/landfall.mjs',
    'blobs/sha256/0123456789abcdef',
    '.env.example',
    '...',
    'a/..b/c..',
    '@scope/name+1_x',
    '1/2/3/4/5/6/7/8',
    'x'.repeat(100),
  ])('may be %s', (path) => {
    expect(pathPattern.test(path)).toBe(true);
  });

  it.each([
    '',
    '.',
    '..',
    '/',
    '/a',
    'a/',
    'a//b',
    './a',
    'a/.',
    'a/./b',
    '../a',
    'a/..',
    'a/../b',
    'a\\b',
    '..\\a',
    'C:a',
    '-a',
    'a/-b',
    'a b',
    'a\n',
    '\na',
    'a\0',
    'a\u001b[2J',
    'ä',
    'a\u202eb',
    '~',
    '$HOME',
    '`id`',
    'a;b',
    'a*',
    "a'b",
    '1/2/3/4/5/6/7/8/9',
    'x'.repeat(101),
  ])('may not be %j', (path) => {
    expect(pathPattern.test(path)).toBe(false);
  });

  it('cannot escape its folder, on Linux or Windows', () => {
    const nasty = fc
      .array(fc.constantFrom('..', '.', '/', '\\', 'a', '-', ':', '\n', 'C:', ' '), {
        maxLength: 8,
      })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(nasty, fc.string()), (path) => {
        if (!pathPattern.test(path)) return;
        expect(posix.resolve('/root/new', path)).toBe(`/root/new/${path}`);
        expect(win32.resolve('C:\\new', path).startsWith('C:\\new\\')).toBe(true);
      }),
      { numRuns: fuzzRuns(1000) },
    );
  });

  it('validates a path inside a bundle in linear time', () => {
    const odd = `${'a/'.repeat(50_000)}\n`;
    expect(pathPattern.test(odd)).toBe(false);
    expect(pathPattern.test('.'.repeat(100_000))).toBe(false);
  });
});
