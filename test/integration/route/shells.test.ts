import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fishFunctions, posixFunctions, shellValues } from '#proxy-settings/shell-functions.ts';
import { needs } from '../needs.ts';

const given = needs('shellcheck', 'dash', 'zsh', 'fish');
const url = 'http://me:pa$s`w&r(d)@10.0.0.2:7890';

given.describe('proxy_on and proxy_off in real shells', () => {
  let folder: string;
  let file: Readonly<Record<'values' | 'posix' | 'fish' | 'atLogin', string>>;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'landfall-shells-'));
    const at = (name: string) => join(folder, name);
    file = { values: at('values'), posix: at('posix'), fish: at('fish'), atLogin: at('login') };
    const files = { origin: 'A test.', values: file.values };
    writeFileSync(file.values, shellValues('A test.', { url, noProxy: 'localhost,*.local' }));
    writeFileSync(file.posix, posixFunctions(files));
    writeFileSync(file.fish, fishFunctions(files, false));
    writeFileSync(file.atLogin, fishFunctions(files, true));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Runs a script in a shell that reads no settings of the user. */
  async function run(shell: string, args: readonly string[], env = {}): Promise<string> {
    const all = { PATH: process.env.PATH, HOME: folder, ...env };
    const { stdout, stderr } = await execa(shell, args, { env: all, extendEnv: false });
    return [stdout, stderr].filter((text) => text !== '').join('\n');
  }

  it('passes shellcheck without a finding', async () => {
    const args = ['--shell=sh', '--severity=style', '--exclude=SC1090,SC1091', file.posix];
    expect(await run(given.shellcheck, args)).toBe('');
  });

  const printed = 'printenv https_proxy HTTPS_PROXY; echo "${http_proxy-}"';

  it.each(['dash', 'zsh'] as const)(
    'sets and unsets the same proxy variables in %s',
    async (shell) => {
      const script = (text: string) => run(given[shell], ['-euc', `. ${file.posix}; ${text}`]);
      expect(await script(printed)).toBe(`${url}\n${url}\n${url}`);
      expect(await script(`proxy_off; ${printed.replace(';', ' || true;')}`)).toBe('Proxy off\n');
      expect(await script(`proxy_off; proxy_on; ${printed}`)).toBe(
        `Proxy off\nProxy on\n${url}\n${url}\n${url}`,
      );
    },
  );

  it('sets and unsets the same proxy variables in fish', async () => {
    const script = (text: string) =>
      run(given.fish, ['--no-config', '-c', `source ${file.fish}; ${text}`]);
    const variables = 'printenv https_proxy HTTPS_PROXY; echo $http_proxy';
    expect(await script(variables)).toBe(`${url}\n${url}\n${url}`);
    expect(await script(`proxy_off; ${variables}`)).toBe('Proxy off\n');
    expect(await script(`proxy_off; proxy_on; ${variables}`)).toBe(
      `Proxy off\nProxy on\n${url}\n${url}\n${url}`,
    );
    expect(await script('proxy_off; proxy_off; echo $status')).toBe('Proxy off\nProxy off\n0');
  });

  it('remove variables of an earlier route in fish', async () => {
    const old = { all_proxy: 'socks5h://10.0.0.9:1080' };
    const args = ['--no-config', '-c', `source ${file.fish}; proxy_on; echo $all_proxy`];
    expect(await run(given.fish, args, old)).toBe('Proxy on\n');
  });

  it('leave the proxy off in a fish that is no login shell', async () => {
    const script = `source ${file.atLogin}; echo "$http_proxy"`;
    expect(await run(given.fish, ['--no-config', '-c', script])).toBe('');
    expect(await run(given.fish, ['--no-config', '--login', '-c', script])).toBe(url);
  });

  it('report an unreadable file in fish', async () => {
    const missing = join(folder, 'missing');
    const other = join(folder, 'other');
    writeFileSync(other, fishFunctions({ origin: 'A test.', values: missing }, false));
    const script = `source ${other}; proxy_on 2>&1; echo "code $status"`;
    expect(await run(given.fish, ['--no-config', '-c', script])).toBe(
      `proxy_on: cannot read ${missing}\ncode 1`,
    );
  });
});
