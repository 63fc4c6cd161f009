import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Dispatchers } from '#http/dispatchers.ts';

describe('a SOCKS5 proxy', () => {
  it('causes no warning between the lines of a command, and hides no other one', async () => {
    const warnings: string[] = [];
    const note = ({ message }: Error) => warnings.push(message);
    process.on('warning', note);
    const dispatchers = new Dispatchers({ env: { ALL_PROXY: 'socks5h://127.0.0.1:1' } });
    dispatchers.routeTo(new URL('https://example.com/'));
    await dispatchers.close();
    process.emitWarning('of another library');
    await setImmediate();
    process.off('warning', note);
    expect(warnings).toEqual(['of another library']);
  });
});
