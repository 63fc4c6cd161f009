import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { swapSize } from '#contract/sizes/disk-needs.ts';
import { swap } from '../../../../appliance/stages/kernel/swap.ts';
import { diskPlanFile } from '../../../../appliance/stages/preflight/public.ts';
import { contextFor } from '../../context.ts';
import { type Answers, TemporaryHost } from '../../temporary-host.ts';

const GiB = 1024 ** 3;
const noSwap = 'Filename\tType\tSize\tUsed\tPriority\n';
const someSwap = `${noSwap}/dev/vda2 partition 1048572 0 -2\n`;

const planned = (bytes: number) => ({
  [diskPlanFile]: JSON.stringify({
    release: '1.0.0',
    dropBlobs: false,
    keepPrevious: true,
    swap: bytes,
  }),
});

const defaults: Answers = {
  findmnt: 'ext4',
  fallocate: '',
  mkswap: '',
  sync: '',
  'systemctl daemon-reload': '',
  'systemctl is-active': 3,
  'systemctl is-enabled': 1,
  'systemctl enable --quiet swapfile.swap': '',
  'systemctl restart swapfile.swap': '',
};

function server(files: Record<string, string>, answers: Answers = {}) {
  const host = TemporaryHost.with({ 'proc/swaps': noSwap, ...files }, { ...defaults, ...answers });
  return { host, context: contextFor(host) };
}

describe('the size of a swap file', () => {
  it.each([
    ['2 GiB of memory', 2 * GiB, 40 * GiB, 2 * GiB],
    ['16 GiB of memory', 16 * GiB, 40 * GiB, 4 * GiB],
    ['little disk space', 8 * GiB, 1.1 * GiB, GiB],
    ['too little disk space', 8 * GiB, 0.4 * GiB, 0],
    ['no disk space', 8 * GiB, -5 * GiB, 0],
  ])('fits %s', (_what, memory, spare, expected) => {
    expect(swapSize(memory, spare)).toBe(expected);
  });
});

describe('a server without swap', () => {
  it('gets a swap file of the planned size, readable only by root and enabled at boot', async () => {
    const { host, context } = server(planned(GiB));
    expect(await swap.check(context)).toEqual(['create a swap file of 1.1 GB']);
    await swap.apply(context);
    expect(host.ran.filter((line) => !line.includes(' is-'))).toEqual([
      expect.stringMatching(/^findmnt /),
      `fallocate --length ${GiB} ${host.path('swapfile.landfall-new')}`,
      `mkswap ${host.path('swapfile.landfall-new')}`,
      'systemctl daemon-reload',
      'systemctl enable --quiet swapfile.swap',
      'systemctl restart swapfile.swap',
    ]);
    expect(statSync(host.path('swapfile')).mode & 0o777).toBe(0o600);
    expect(readFileSync(host.path('etc/systemd/system/swapfile.swap'), 'utf8')).toContain(
      'What=/swapfile\n',
    );
  });

  it('gets a swap file without copy-on-write on btrfs', async () => {
    const { host, context } = server(planned(GiB), { findmnt: 'btrfs', chattr: '' });
    await swap.apply(context);
    expect(host.ran).toContain(`chattr +C ${host.path('swapfile.landfall-new')}`);
  });

  it('gets a warning if its file system does not support swap files', async () => {
    const { host, context } = server(planned(GiB), { findmnt: 'zfs' });
    await swap.apply(context);
    expect(existsSync(host.path('swapfile'))).toBe(false);
    expect(context.warned).toEqual(['no swap file was made: zfs does not support it']);
    expect(await swap.prove(context)).toEqual([]);
  });

  it('gets no swap file if the disk plan has no space for it', async () => {
    expect(await swap.check(server(planned(0)).context)).toEqual([]);
  });

  it('gets an error if the swap file is not active', async () => {
    expect(await swap.prove(server(planned(GiB)).context)).toEqual([
      expect.objectContaining({ message: 'swap is not active' }),
    ]);
  });
});

describe('an interrupted run', () => {
  it('restarts after an interruption: an incomplete file never gets the final name', async () => {
    const { host, context } = server(planned(GiB), { mkswap: 1 });
    await expect(swap.apply(context)).rejects.toMatchObject({ code: 'COMMAND_FAILED' });
    expect(existsSync(host.path('swapfile'))).toBe(false);
    const again = server({ ...planned(GiB), 'swapfile.landfall-new': 'half' });
    await swap.apply(again.context);
    expect(existsSync(again.host.path('swapfile.landfall-new'))).toBe(false);
    expect(readFileSync(again.host.path('swapfile'), 'utf8')).toBe('');
  });
});

describe('a server that already has swap', () => {
  it('leaves a server that already has swap unchanged', async () => {
    const { host, context } = server(planned(GiB));
    writeFileSync(host.path('proc/swaps'), someSwap);
    expect(await swap.check(context)).toEqual([]);
    await swap.apply(context);
    expect(host.ran).toEqual([]);
    expect(await swap.prove(context)).toEqual([]);
  });
});
