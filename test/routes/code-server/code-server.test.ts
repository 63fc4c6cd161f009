import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HttpProxy } from '../../faulty-server/http-proxy.ts';
import { landfall } from '../../pty/terminal.ts';
import { installCodeServer } from './install.ts';

let program: string;
beforeAll(async () => {
  program = await installCodeServer();
});

let home: string;
let configured: HttpProxy;
let fromEnvironment: HttpProxy;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'landfall-code-server-'));
  configured = await HttpProxy.start({ refusal: 502 });
  fromEnvironment = await HttpProxy.start({ refusal: 502 });
});
afterEach(async () => {
  await Promise.all([configured.close(), fromEnvironment.close()]);
  await rm(home, { recursive: true });
});

/** Without XDG folders and proxies of the user who runs the test. */
const options = () => ({
  env: { PATH: process.env.PATH, HOME: home, HTTPS_PROXY: fromEnvironment.url },
  extendEnv: false,
  reject: false,
});

/** Installs an extension, which fails, because both proxies reject every request. */
async function installExtension(): Promise<string> {
  const config = ['--config', join(home, 'config.yaml')];
  const args = [program, ...config, '--install-extension', 'redhat.vscode-yaml'];
  const { stdout, stderr } = await execa(process.execPath, args, options());
  return stdout + stderr;
}

async function editor(...args: string[]): Promise<void> {
  const [node = '', ...cli] = landfall;
  const end = await execa(node, [...cli, 'editor', ...args, '--editor', 'code-server'], options());
  expect(end).toMatchObject({ exitCode: 0 });
}

describe('code-server', () => {
  it('uses the proxy of landfall editor configure instead of HTTPS_PROXY, until remove', async () => {
    await editor('configure', '--proxy', configured.url);
    expect(await installExtension()).toContain('Error while installing');
    expect(new Set(configured.asked)).toEqual(new Set(['CONNECT open-vsx.org:443']));
    expect(fromEnvironment.asked).toEqual([]);
    await editor('remove');
    await installExtension();
    expect(new Set(fromEnvironment.asked)).toEqual(new Set(['CONNECT open-vsx.org:443']));
  });
});
