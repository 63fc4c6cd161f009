import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  clientPairFile,
  ensureClientPair,
  hasClientPair,
  readClientPair,
  removeClientPair,
} from '../../../../appliance/server/certificates/client-pair.ts';
import {
  authorityFolder,
  internalAuthority,
} from '../../../../appliance/server/certificates/internal-authority.ts';
import { leafOf } from '../../../../appliance/server/certificates/pair.ts';
import { Host } from '../../../../appliance/server/host/host.ts';
import { runCommand } from '../../../../appliance/server/host/run/command.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const owner = process.getuid?.() ?? 0;

describe("HAProxy's client certificate", () => {
  let host: Host;
  const textOf = () => readFile(host.path(clientPairFile), 'utf8');
  beforeEach(async () => {
    host = new Host(TemporaryHost.with({}).root, runCommand);
    await ensureClientPair(host, owner);
  });

  it('comes from the authority of the server, for clients only, and lives as long', async () => {
    const authority = leafOf((await internalAuthority(host)).chain);
    const leaf = leafOf((await readClientPair(host))?.chain ?? '');
    expect(authority && leaf?.verify(authority.publicKey)).toBe(true);
    // RFC 5280, 4.2.1.12: clientAuth.
    expect(leaf?.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
    const days = (authority?.validToDate.getTime() ?? 0) - (leaf?.validToDate.getTime() ?? 0);
    expect(days / 86_400_000).toBeGreaterThanOrEqual(0);
    expect(days / 86_400_000).toBeLessThanOrEqual(1);
  });

  it('can be read by its owner only', async () => {
    const { mode, uid } = await stat(host.path(clientPairFile));
    expect([mode & 0o777, uid]).toEqual([0o400, owner]);
  });

  it('stays while it is valid', async () => {
    const text = await textOf();
    await ensureClientPair(host, owner);
    expect(await textOf()).toBe(text);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['is missing', () => rm(host.path(clientPairFile))],
    [
      'is truncated',
      async () => writeFile(host.path(clientPairFile), (await textOf()).slice(0, -40)),
    ],
    ['is of a previous authority', () => rm(host.path(authorityFolder))],
  ])('is made again if it %s', async (_what, spoil) => {
    const text = await textOf();
    await spoil();
    expect(await hasClientPair(host)).toBe(false);
    await ensureClientPair(host, owner);
    expect(await hasClientPair(host)).toBe(true);
    expect(await textOf()).not.toBe(text);
  });

  it('leaves no key behind when it is removed', async () => {
    await removeClientPair(host);
    await removeClientPair(host);
    expect(await readdir(join(host.path(clientPairFile), '..'))).toEqual([]);
  });
});
