import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseDestination,
  shellQuoted,
  sshArguments,
} from '../../../../builder/deliver/ssh/arguments.ts';

describe('the arguments of ssh', () => {
  it('end with the host, after all options', () => {
    const args = sshArguments(parseDestination('ssh://me@vps:2222'), {
      identity: 'key',
      jump: 'bastion',
      config: 'file',
      interactive: true,
    });
    expect(args.slice(-2)).toEqual(['--', 'vps']);
    expect(args.join(' ')).toContain('-F file -i key -J bastion -l me -p 2222');
    expect(args).not.toContain('BatchMode=yes');
  });

  it('never turn the check of host keys off, and ask for nothing without a terminal', () => {
    const args = sshArguments(parseDestination('vps'), { interactive: false });
    expect(args).toContain('BatchMode=yes');
    expect(args.join(' ')).not.toMatch(/StrictHostKeyChecking|UserKnownHostsFile/);
  });
});

describe('a quoted argument', () => {
  it('quotes any text as one word for sh', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        fc.pre(!text.includes('\0') && text.isWellFormed());
        const script = `printf %s ${shellQuoted(text)}`;
        expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' })).toBe(text);
      }),
      { numRuns: 30, examples: [["it's"], ['$(id)'], ['`id`\n"'], ['']] },
    );
  });
});
