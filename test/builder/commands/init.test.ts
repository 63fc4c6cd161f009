import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { initCommand } from '../../../builder/commands/init.ts';
import { readAppliance } from '../../../builder/config/appliance.ts';
import { readSite } from '../../../builder/config/site.ts';
import { driftOf, lockInputs } from '../../../builder/lock/inputs.ts';
import { readLock } from '../../../builder/lock/lock-file.ts';
import { runCommand, terminalIn } from './terminal.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-init-'));
});
afterEach(() => rm(folder, { recursive: true }));

const key =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl me@laptop';
const release = ['--release-url', 'https://downloads.example.com/r/'];
const init = (...args: string[]) => runCommand(initCommand, terminalIn(folder), ...args);

describe('landfall init', () => {
  it('writes two files that our own readers accept, and a lock that fits', async () => {
    await init(...release, '--ssh-key', key);
    const appliance = await readAppliance(join(folder, 'appliance.yaml'));
    const lock = await readLock(join(folder, 'appliance.lock.yaml'));
    if (!lock) throw new Error('no lock was written');
    expect(driftOf(lockInputs(appliance), lock)).toEqual([]);
    const site = await readSite(join(folder, 'site.yaml'));
    expect(site).toMatchObject({
      admin: { user: 'ops', ssh_keys: [key] },
      tls: { mode: 'internal' },
    });
  });

  it('takes names, mail, terms and a way out', async () => {
    const names = ['--ui-host', 'chat.example.com', '--email', 'me@example.com', '--accept-terms'];
    await init(...release, '--ssh-key', key, ...names, '--route', 'socks5h://10.0.0.2:7891');
    expect(await readSite(join(folder, 'site.yaml'))).toMatchObject({
      hosts: { ui: 'chat.example.com' },
      tls: { mode: 'acme', accept_terms: true },
      route: { mode: 'socks5', url: 'socks5h://10.0.0.2:7891' },
    });
  });

  it('takes a key from its file', async () => {
    await writeFile(join(folder, 'id.pub'), `${key}\n`);
    await init(...release, '--ssh-key', join(folder, 'id.pub'));
    expect((await readSite(join(folder, 'site.yaml'))).admin.ssh_keys).toEqual([key]);
  });

  it('points editors at schemas beside the files', async () => {
    await init(...release, '--ssh-key', key);
    for (const name of ['appliance', 'site']) {
      const text = await readFile(join(folder, `${name}.yaml`), 'utf8');
      const path = /^# yaml-language-server: \$schema=(\S+)/.exec(text)?.[1] ?? '';
      expect(JSON.parse(await readFile(join(folder, path), 'utf8'))).toHaveProperty('properties');
    }
  });

  it('never writes over a file unless told to', async () => {
    await writeFile(join(folder, 'site.yaml'), 'precious');
    await expect(init(...release, '--ssh-key', key)).rejects.toMatchObject({
      code: 'FILE_EXISTS',
      message: expect.stringContaining('site.yaml'),
    });
    expect(await readFile(join(folder, 'site.yaml'), 'utf8')).toBe('precious');
    await init(...release, '--ssh-key', key, '--force');
    expect(await readFile(join(folder, 'site.yaml'), 'utf8')).not.toBe('precious');
  });

  it('says everything that is missing when there is nobody to ask', async () => {
    await expect(init()).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringMatching(/--release-url, --ssh-key/),
    });
  });

  it('refuses a private key, without repeating it', async () => {
    const path = join(folder, 'id');
    await writeFile(path, '-----BEGIN OPENSSH PRIVATE KEY-----\nc2VjcmV0\n');
    await expect(init(...release, '--ssh-key', path)).rejects.toMatchObject({
      code: 'USAGE',
      message: 'that is a private SSH key',
    });
  });
});
