import { existsSync } from 'node:fs';
import { chmod, readFile, stat } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../../../appliance/host/run/command.ts';
import { addProofKey, removeProofKey } from '../../../appliance/ssh/proof-key.ts';
import { TemporaryHost } from '../temporary-host.ts';

const keysFile = 'home/ops/.ssh/authorized_keys';
const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
const account = { user: 'ops', uid, gid, home: '/home/ops', shell: '/bin/bash' };
const owners = 'ssh-ed25519 AAAA owner\n# mine\nssh-rsa BBBB';

/** Returns a machine on which keys are really created. */
async function machine(keys: string) {
  const host = TemporaryHost.with({ [keysFile]: keys });
  host.run = runCommand;
  await chmod(host.path(keysFile), 0o600);
  const text = () => readFile(host.path(keysFile), 'utf8');
  return { host, text };
}

describe('the key of the test login', () => {
  it('is restricted to one command, this machine and a few minutes', async () => {
    const { host, text } = await machine(`${owners}\n`);
    const path = await addProofKey(host, account, ['127.0.0.1', '::1']);
    const line = (await text()).trimEnd().split('\n').at(-1) ?? '';
    expect(line).toMatch(
      /^restrict,from="127\.0\.0\.1,::1",expiry-time="\d{14}",command="sudo -n true" ssh-ed25519 \S+ landfall-login-proof$/,
    );
    const [, expiry = ''] = /expiry-time="(\d+)"/.exec(line) ?? [];
    const [, y, mo, d, h, mi, s] = (/^(.{4})(..)(..)(..)(..)(..)$/.exec(expiry) ?? []).map(Number);
    const left = new Date(y ?? 0, (mo ?? 0) - 1, d, h, mi, s).getTime() - Date.now();
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(180_000);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(host.path('run/landfall/login-proof'))).mode & 0o777).toBe(0o700);
  });

  it('leaves no files', async () => {
    const { host, text } = await machine(`${owners}\n`);
    const path = await addProofKey(host, account, ['127.0.0.1']);
    await removeProofKey(host, account);
    expect(await text()).toBe(`${owners}\n`);
    expect((await stat(host.path(keysFile))).mode & 0o777).toBe(0o600);
    expect(existsSync(path)).toBe(false);
    expect(existsSync(host.path('run/landfall/login-proof'))).toBe(false);
  });

  it('replaces the key of a killed run', async () => {
    const { host, text } = await machine(`${owners}\n`);
    await addProofKey(host, account, ['127.0.0.1']);
    await addProofKey(host, account, ['127.0.0.1']);
    expect((await text()).match(/landfall-login-proof$/gm)).toHaveLength(1);
    await removeProofKey(host, account);
    expect(await text()).toBe(`${owners}\n`);
  });

  it('is on a new line after a last line without a line break', async () => {
    const { host, text } = await machine(owners);
    await addProofKey(host, account, ['127.0.0.1']);
    expect((await text()).startsWith(`${owners}\nrestrict,`)).toBe(true);
  });

  it('is not added if there is no authorized_keys', async () => {
    const host = TemporaryHost.with({});
    await removeProofKey(host, account);
    expect(existsSync(host.path(keysFile))).toBe(false);
  });
});
