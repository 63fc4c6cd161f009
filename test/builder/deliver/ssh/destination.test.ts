import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDestination, parseDestination } from '../../../../builder/deliver/ssh/arguments.ts';

describe('the server of a command', () => {
  it.each([
    ['root@203.0.113.7', { user: 'root', host: '203.0.113.7' }],
    ['vps', { host: 'vps' }],
    ['me@[2001:db8::7]', { user: 'me', host: '2001:db8::7' }],
    ['ssh://root@203.0.113.7:2222', { user: 'root', host: '203.0.113.7', port: 2222 }],
    ['ssh://[2001:db8::7]:22/', { host: '2001:db8::7', port: 22 }],
    ['ssh://chat.example.com', { host: 'chat.example.com' }],
  ])('parses the server of a command like ssh: %s', (text, expected) => {
    const { user, port } = { user: undefined, port: undefined, ...expected } as {
      user?: string;
      port?: number;
    };
    expect(parseDestination(text)).toEqual({ host: expected.host, user, port });
  });

  it.each([
    '',
    '-oProxyCommand=touch /tmp/x',
    'root@-oProxyCommand=x',
    '-l@host',
    'root@host name',
    'root@',
    'host:22',
    'ssh://host:0',
    'ssh://host:70000',
    'https://host',
    'a@b@c',
    'host\n',
  ])('rejects %j as the server of a command', (text) => {
    expect(() => parseDestination(text)).toThrow(expect.objectContaining({ code: 'USAGE' }));
  });

  it('never becomes an option of ssh', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        let parsed: ReturnType<typeof parseDestination> | undefined;
        try {
          parsed = parseDestination(text);
        } catch {
          return;
        }
        expect(`${parsed.host}\n${parsed.user ?? ''}`).not.toMatch(/^-|\s-|^$/);
      }),
      { examples: [['host'], ['a@b'], ['ssh://a@b:1'], ['-a'], ['a@-b']] },
    );
    expect(parseDestination('a@b').host).toBe('b');
  });

  it('shows the server of a command with its port', () => {
    expect(formatDestination(parseDestination('ssh://root@vps:2222'))).toBe('root@vps (port 2222)');
    expect(formatDestination(parseDestination('vps'))).toBe('vps');
  });
});
