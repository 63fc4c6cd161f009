import { describe, expect, it } from 'vitest';
import { commandLinesOf, pages } from './command-lines.ts';
import { problemOf } from './problem-of.ts';
import { splitShell } from './split-shell.ts';

describe('the command lines of the documents', () => {
  it.each(pages())('names commands, options, scripts and files that exist: %s', async (page) => {
    const lines = commandLinesOf(page);
    const made = new Set(lines.flatMap(({ redirected }) => redirected));
    const problems: string[] = [];
    for (const line of lines) {
      const problem = await problemOf(line, made);
      if (problem) problems.push(`${line.place} ${line.words.join(' ')}: ${problem}`);
    }
    expect(problems).toEqual([]);
  });

  it('finds those of blocks and those in sentences', () => {
    const lines = ['docs/start/own-release.md', 'docs/first-boot.md']
      .flatMap(commandLinesOf)
      .map(({ words }) => words.join(' '));
    expect(lines).toContain('landfall build --full --output dist');
    expect(lines).toContain('landfall status --watch');
    expect(pages().flatMap(commandLinesOf).length).toBeGreaterThan(500);
  });
});

describe('splitShell', () => {
  it('splits pipes, lists and redirections, and removes sudo, quotes and comments', () => {
    expect(splitShell(`sudo a '1 2' "3" < in.txt | b >out.txt && c # d`)).toEqual([
      { words: ['a', '1 2', '3'], sudo: true, redirected: ['in.txt'] },
      { words: ['b'], sudo: false, redirected: ['out.txt'] },
      { words: ['c'], sudo: false, redirected: [] },
    ]);
  });

  it('replaces what the reader replaces by a placeholder', () => {
    const [call] = splitShell('landfall push <user>@<server> --provider NAME [path…]');
    expect(call?.words.join(' ')).toBe(
      'landfall push PLACEHOLDER@PLACEHOLDER --provider PLACEHOLDER',
    );
  });
});

describe('problemOf', () => {
  const problem = async (line: string, complete = true) => {
    const [call] = splitShell(line);
    return call && problemOf({ place: 'a.md:1', complete, ...call });
  };

  it.each([
    ['landfall builds', 'unknown command'],
    ['landfall build --fast', 'unknown option'],
    ['landfall verify', 'missing required argument'],
    ['landfall verify dist a b --arch mips', 'invalid'],
    ['landfall models pull qwen3:8b', 'must be run as root'],
    ['sudo landfall build', 'unknown command'],
    ['ssh ops@203.0.113.7 sudo landfall route inport -', 'unknown command'],
    ['npm run quickstat', 'no such script'],
    ['npm run demo -- --stays', 'has no stays'],
    ['npm test -- --unit no-such-test', 'no test'],
    ['npm run landfall -- build --fast', 'unknown option'],
    ['npx landfall@1.2.0 build --fast', 'unknown option'],
    ['make all', 'is no command that the documents use'],
    ['landfall build --config appliances.yaml', 'no such file: appliances.yaml'],
    ['cat test/none.ts', 'no such file: test/none.ts'],
  ])('rejects %s', async (line, reason) => {
    expect(await problem(line)).toContain(reason);
  });

  it.each(['landfall verify', 'landfall preview --port', 'landfall models pull', 'new Host("/")'])(
    'accepts the abbreviation of a command, and other code, in a sentence: %s',
    async (line) => {
      expect(await problem(line, false)).toBeUndefined();
    },
  );
});
