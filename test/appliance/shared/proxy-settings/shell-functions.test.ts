import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { posixFunctions, shellValues } from '#proxy-settings/shell-functions.ts';
import { shown } from './shown.ts';

const folder = mkdtempSync(join(tmpdir(), 'landfall-shell-'));
afterAll(() => rmSync(folder, { recursive: true }));

const values = join(folder, 'values');
const functions = join(folder, 'functions');
const url = 'http://me:pa$s`w&rd@10.0.0.2:7890';
writeFileSync(values, shellValues('A test.', { url, noProxy: 'localhost,*.local' }));
writeFileSync(functions, posixFunctions({ origin: 'A test.', values }));

const strict = 'set -eu';

describe.each(['bash', 'sh'])('proxy_on and proxy_off in %s', (shell) => {
  const run = (script: string, env: NodeJS.ProcessEnv = {}) =>
    execFileSync(shell, ['-c', script], {
      // Not a socket, with which bash would read the startup files of this machine.
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { PATH: process.env.PATH, HOME: folder, ...env },
    }).toString();
  const start = `${strict}; . ${functions}`;

  it('defines proxy_on and proxy_off, and turns the proxy on, without output', () => {
    expect(run(start)).toBe('');
    expect(run(`${start}; ${shown('https_proxy')}`)).toBe(url);
  });

  it('print exactly "Proxy off" and "Proxy on"', () => {
    expect(run(`${start}; proxy_off`)).toBe('Proxy off\n');
    expect(run(`${start}; proxy_on`)).toBe('Proxy on\n');
  });

  it('unset and set the variables of SPEC 2.2 in both cases, for other programs', () => {
    const env = `env | grep -i _proxy= | cut -d= -f1 | LC_ALL=C sort | tr '\\n' ' ' || true`;
    const all = 'HTTPS_PROXY HTTP_PROXY NO_PROXY http_proxy https_proxy no_proxy ';
    expect(run(`${start}; ${env}`)).toBe(all);
    expect(run(`${start}; proxy_off; ${env}`)).toBe('Proxy off\n');
    expect(run(`${start}; proxy_off; proxy_on; ${env}`)).toBe(`Proxy off\nProxy on\n${all}`);
  });

  it('remove variables of an earlier route', () => {
    const old = { all_proxy: 'socks5h://10.0.0.9:1080' };
    expect(run(`${start}; proxy_on; ${shown('all_proxy')}`, old)).toBe('Proxy on\n');
  });

  it('keep the shell usable if the values cannot be read', () => {
    const moved = join(folder, 'others');
    writeFileSync(moved, posixFunctions({ origin: 'A test.', values: join(folder, 'missing') }));
    const script = `set -u; . ${moved}; proxy_on 2>&1 || echo "code $?"`;
    expect(run(script)).toBe(`proxy_on: cannot read ${join(folder, 'missing')}\ncode 1\n`);
  });
});

describe('a value for shells', () => {
  it.each(["it's", 'a\\b', 'a\nb'])(
    'rejects a value if shells read it differently: %j',
    (noProxy) => {
      expect(() => shellValues('A test.', { url, noProxy })).toThrow(/quote, a backslash/);
    },
  );
});
