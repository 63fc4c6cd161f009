import { describe, expect, it } from 'vitest';
import { readNamedCall } from '../../../appliance/commands/read-named-call.ts';

const read = (...args: string[]) =>
  readNamedCall('models pull', args, { mirror: { type: 'string' } });

describe('a call that names one thing', () => {
  it('has its options before or behind the name', () => {
    const expected = { name: 'qwen3:8b', options: { mirror: 'https://mirror.example' } };
    expect(read('qwen3:8b', '--mirror', 'https://mirror.example')).toEqual(expected);
    expect(read('--mirror', 'https://mirror.example', 'qwen3:8b')).toEqual(expected);
  });

  it.each([[[]], [['--mirror', 'x']], [['a:1', 'b:2']]])('takes one name, not %j', (args) => {
    expect(() => read(...args)).toThrow(expect.objectContaining({ code: 'USAGE' }));
  });

  it('says what was too much, and what one is like', () => {
    const port = { noun: 'port', example: '8443/tcp' };
    expect(() =>
      readNamedCall('firewall allow', ['80/tcp', '8443/tcp', '9/udp'], {}, port),
    ).toThrow(
      expect.objectContaining({
        message: 'landfall firewall allow takes one port, not also 8443/tcp 9/udp',
        hint: 'For example: sudo landfall firewall allow 8443/tcp',
      }),
    );
  });

  it.each([[['a:1', '--insecure']], [['a:1', '--mirror']]])('refuses %j', (args) => {
    expect(() => read(...args)).toThrow(
      expect.objectContaining({ code: 'USAGE', hint: 'It takes a name and --mirror.' }),
    );
  });
});
