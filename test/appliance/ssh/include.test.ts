import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withInclude } from '../../../appliance/ssh/include.ts';

const line = 'Include /etc/ssh/sshd_config.d/*.conf';

describe('the Include line of sshd_config', () => {
  it.each([
    ['in the form of Debian', `# a comment\n\n${line}\n\nUsePAM yes\n`],
    ['with spaces around it', `  ${line}  \nUsePAM yes\n`],
    ['relative to /etc/ssh', 'Include sshd_config.d/*.conf\n'],
    ['in lower case and in quotes', 'include "/etc/ssh/sshd_config.d/*.conf"\n'],
  ])('is not changed: %s', (_what, text) => {
    expect(withInclude(text)).toBe(text);
  });

  it.each([
    ['it is missing', 'UsePAM yes\n'],
    ['the file is empty', ''],
    ['it is a comment', `#${line}\n`],
    ['a setting before it would override the folder', `PasswordAuthentication yes\n${line}\n`],
    ['it is in a Match block, which applies to some users only', `Match User a\n${line}\n`],
    ['it includes other files', 'Include /etc/ssh/sshd_config.d/50-*.conf\n'],
    ['it includes several folders', `${line} /etc/ssh/more/*.conf\n`],
  ])('is added at the beginning if %s', (_what, text) => {
    const result = withInclude(text);
    expect(result.split('\n').find((each) => !each.startsWith('#'))).toBe(line);
    expect(result.endsWith(text)).toBe(true);
  });

  it('is added once', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(withInclude(withInclude(text))).toBe(withInclude(text));
      }),
    );
  });
});
