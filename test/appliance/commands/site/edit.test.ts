import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { withoutRemarks, withRemarks } from '../../../../appliance/commands/site/edit.ts';
import { parseSource } from '../../../../appliance/commands/site/source.ts';

const key =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl me@laptop';
const text = `release: [https://releases.example.com/]
admin: { ssh_keys: ['${key}'] }
host: { ui: a.example.com }
tls: { mode: acme, accept_terms: yes }
`;

/** Returns the error of a text. */
function errorOf(bytes: string): LandfallError {
  try {
    parseSource(Buffer.from(bytes), '/etc/landfall/site.yaml');
  } catch (error) {
    if (error instanceof LandfallError) return error;
  }
  throw new Error('the text is valid');
}

describe('an edited site with problems', () => {
  it('shows each problem below its line, and how to solve it', () => {
    const lines = withRemarks(text, errorOf(text)).split('\n');
    expect(lines[2]).toBe('host: { ui: a.example.com }');
    expect(lines[3]).toMatch(/^#! .*host.*hosts/);
    expect(lines.findIndex((line) => line.startsWith('tls'))).toBe(4);
    expect(lines[5]).toMatch(/^#! .*accept_terms/);
  });

  it('shows a problem without a line at the beginning', () => {
    const error = new LandfallError('CONFIG_ENCODING', 'the file is not UTF-8');
    expect(withRemarks(text, error)).toBe(`#! the file is not UTF-8\n${text}`);
  });

  it('loses its marks before it is read again, and nothing else', () => {
    const marked = withRemarks(text, errorOf(text));
    expect(withoutRemarks(Buffer.from(marked)).toString()).toBe(text);
    const bytes = Buffer.from([0x23, 0x21, 0x20, 0x0a, 0xff, 0xfe, 0x0a]);
    expect(withoutRemarks(bytes)).toEqual(Buffer.from([0xff, 0xfe, 0x0a]));
  });
});
