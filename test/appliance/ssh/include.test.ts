import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withInclude } from '../../../appliance/ssh/include.ts';

const line = 'Include /etc/ssh/sshd_config.d/*.conf';

describe('the line that makes sshd read the folder of settings files', () => {
  it.each([
    ['as Debian has it', `# a comment\n\n${line}\n\nUsePAM yes\n`],
    ['with spaces around it', `  ${line}  \nUsePAM yes\n`],
    ['named from /etc/ssh', 'Include sshd_config.d/*.conf\n'],
    ['in lower case and in quotes', 'include "/etc/ssh/sshd_config.d/*.conf"\n'],
  ])('is left where it is: %s', (_what, text) => {
    expect(withInclude(text)).toBe(text);
  });

  it.each([
    ['it is missing', 'UsePAM yes\n'],
    ['the file is empty', ''],
    ['it is a comment', `#${line}\n`],
    [
      'something stands above it, and would overrule the folder',
      `PasswordAuthentication yes\n${line}\n`,
    ],
    ['it stands in a Match, where it holds for some users alone', `Match User a\n${line}\n`],
    ['it names other files', 'Include /etc/ssh/sshd_config.d/50-*.conf\n'],
    ['it names the folder among others', `${line} /etc/ssh/more/*.conf\n`],
  ])('comes first where %s', (_what, text) => {
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
