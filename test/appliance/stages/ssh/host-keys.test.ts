import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../../../../appliance/server/host/run/command.ts';
import {
  hasWeakRsaKey,
  lacksHostKey,
  makeHostKeys,
  publicHostKeys,
} from '../../../../appliance/stages/ssh/host-keys.ts';
import { TemporaryHost } from '../../temporary-host.ts';

/** Returns a server with a real RSA host key of this size. */
async function serverWith(bits: number) {
  const host = TemporaryHost.with({});
  host.run = runCommand;
  await mkdir(host.path('etc/ssh'), { recursive: true });
  const file = host.path('etc/ssh/ssh_host_rsa_key');
  await runCommand('ssh-keygen', ['-q', '-t', 'rsa', '-b', `${bits}`, '-N', '', '-f', file]);
  return host;
}

describe('the host keys of a server', () => {
  it.each([
    [2048, true],
    [3072, false],
  ])('reports RSA host keys with %i bits as weak: %s', async (bits, weak) => {
    expect(await hasWeakRsaKey(await serverWith(bits))).toBe(weak);
  });

  it('may not include RSA', async () => {
    expect(await hasWeakRsaKey(TemporaryHost.with({}))).toBe(false);
  });

  it('creates host keys if the first one is missing, and never again', async () => {
    const host = TemporaryHost.with({}, { 'ssh-keygen -A': '', 'systemctl start ssh': '' });
    expect(lacksHostKey(host)).toBe(true);
    await makeHostKeys(host);
    expect(host.ran).toEqual(['ssh-keygen -A', 'systemctl start ssh.service']);
    const known = TemporaryHost.with({ 'etc/ssh/ssh_host_ed25519_key.pub': 'ssh-ed25519 A' });
    await makeHostKeys(known);
    expect(known.ran).toEqual([]);
    expect(existsSync(known.path('etc/ssh/ssh_host_rsa_key'))).toBe(false);
  });

  it('reports host keys as missing if a power cut left empty files', async () => {
    const host = TemporaryHost.with({
      'etc/ssh/ssh_host_ed25519_key': '',
      'etc/ssh/ssh_host_ed25519_key.pub': '',
    });
    expect(lacksHostKey(host)).toBe(true);
  });

  it('reads the host keys of a server from their public files', async () => {
    const host = TemporaryHost.with({
      'etc/ssh/ssh_host_ed25519_key.pub': 'ssh-ed25519 AAAA root@server\n',
    });
    const files = ['/etc/ssh/ssh_host_ed25519_key', '/etc/ssh/ssh_host_rsa_key'];
    expect(await publicHostKeys(host, files)).toEqual(['ssh-ed25519 AAAA']);
  });
});
