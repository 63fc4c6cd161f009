import { writeFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { diskPlanFile, readDiskPlan } from '../../../../appliance/stages/preflight/public.ts';
import {
  checkDisk,
  describeDisk,
  preflightStage,
  storeDiskPlan,
  warnOfDisk,
} from '../../../../appliance/stages/preflight/stage.ts';
import { noEngine } from '../../answers.ts';
import { contextFor, imageOf, modelOf } from '../../context.ts';
import { type Answers, TemporaryHost } from '../../temporary-host.ts';

// The disk of the machine that runs the tests may be almost full.
vi.mock('../../../../appliance/server/host/free-space.ts', () => ({
  freeSpace: async () => ({ device: 1, free: 40e9 }),
}));

/** A correct clock, free ports, no other software, and all features of the kernel. */
const fine: Answers = {
  ...noEngine,
  timedatectl: 'yes',
  ss: '',
  'dpkg-query': 1,
  'systemctl list-unit-files': '',
  unshare: '',
  journalctl: 1,
};

describe('a supported fresh server', () => {
  it('only needs a disk plan, and then has nothing left to do', async () => {
    const context = contextFor(TemporaryHost.with({}, fine));
    expect(await preflightStage.check(context)).toEqual([
      'plan the disk: 0 B for images and no models',
    ]);
    await preflightStage.apply(context);
    await preflightStage.prove(context);
    expect(await preflightStage.check(context)).toEqual([]);
  });

  it('gets a warning of a file that AppArmor denied to a program of Landfall', async () => {
    const journalctl =
      'audit: type=1400 audit(1.2:3): apparmor="DENIED" operation="open" profile="wg-quick" name="/srv/x" pid=1 comm="cat" denied_mask="r"';
    const context = contextFor(TemporaryHost.with({}, { ...fine, journalctl }));
    await preflightStage.prove(context);
    expect(context.warned).toEqual([
      'the AppArmor profile wg-quick denied cat the access r to /srv/x',
    ]);
  });

  it('gets a warning if no local model fits', async () => {
    const host = TemporaryHost.with({}, fine);
    const release = { models: [modelOf('qwen3:8b')] };
    const context = contextFor(host, { server: { memory: 4e9 }, release });
    await preflightStage.apply(context);
    await preflightStage.prove(context);
    expect(context.warned).toEqual([
      'hosted models only: no chat model of the release fits this server',
    ]);
  });

  // Regression: the warnings were lost when a later stage failed.
  it('gets the warnings of its disk plan in every run', async () => {
    const host = TemporaryHost.with({}, fine);
    const release = { images: [imageOf('engine', null)] };
    for (const _ of [1, 2]) {
      const context = contextFor(host, { release });
      if ((await preflightStage.check(context)).length > 0) await preflightStage.apply(context);
      expect(context.warned).toEqual([]);
      await preflightStage.prove(context);
      expect(context.warned).toEqual([
        'the sizes of 1 images are unknown; the disk may be too small',
      ]);
    }
  });

  it('gets a warning about an expired release, which it still installs', async () => {
    const host = TemporaryHost.with({}, fine);
    const context = contextFor(host, { release: { expires: '2026-10-01T00:00:00Z' } });
    await preflightStage.prove(context);
    expect(context.warned).toEqual([
      expect.stringMatching(/^release 1\.0\.0 expired on 2026-10-01T00:00:00Z/),
    ]);
  });

  it('gets a warning about a slow model on few CPUs', async () => {
    const host = TemporaryHost.with({}, fine);
    const context = contextFor(host, {
      server: { cpus: 2 },
      release: { models: [modelOf('qwen3:8b')] },
    });
    await preflightStage.prove(context);
    expect(context.warned).toEqual(['qwen3:8b will be slow on 2 processors']);
  });
});

describe('a server with many problems', () => {
  const faults = () =>
    contextFor(
      TemporaryHost.with(
        { 'usr/local/bin/k3s': '' },
        {
          ...fine,
          ss: 'LISTEN 0 511 0.0.0.0:80 0.0.0.0:* users:(("nginx",pid=8,fd=6))',
          unshare: 'overlay',
          getent: 2,
        },
      ),
      {
        server: { memory: 1e9, distribution: { id: 'debian', version: '11' } },
        site: { mirrors: { apt: 'http://mirror.example.net/debian' } },
      },
    );

  it('gets an error for a model of the site that does not fit into its memory', async () => {
    const context = contextFor(TemporaryHost.with({}, fine), {
      server: { memory: 4e9 },
      site: { models: ['qwen3:8b'] },
      release: { models: [modelOf('qwen3:8b')] },
    });
    await expect(preflightStage.prove(context)).rejects.toMatchObject({
      code: 'SERVER_UNFIT',
      problems: [
        {
          message: expect.stringMatching(/^not enough memory for qwen3:8b: it needs about 6\.0 GB/),
        },
      ],
    });
  });

  it('gets all errors at once', async () => {
    const error = await preflightStage.prove(faults()).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'SERVER_UNFIT',
      hint: expect.stringContaining('Nothing was installed'),
    });
    expect(error).toHaveProperty('problems.length', 6);
  });

  it('gets the same errors in the plan', async () => {
    const plan = await preflightStage.check(faults());
    const refusals = plan.filter((line) => line.startsWith('reject this server: '));
    expect(refusals).toHaveLength(6);
    expect(refusals).toContainEqual(expect.stringMatching(/ \(\S.*\)$/));
  });
});

describe('a site with conflicting settings after a manual change', () => {
  it('rejects a site with conflicting settings before anything starts, with corrected settings', async () => {
    const site = { ports: { ui: 8888 }, hosts: { chat: 'next.example.com' } };
    const context = contextFor(TemporaryHost.with({}, fine), { site });
    const error = await preflightStage.prove(context).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'SERVER_UNFIT',
      problems: [
        {
          message: 'hosts.chat is next.example.com, but components.chat is disabled',
          hint: expect.stringContaining('components: { chat: true }'),
        },
        {
          message: 'ports.tinyproxy is 8888, which ports.ui already uses',
          hint: expect.stringContaining('8889 is free'),
        },
      ],
    });
  });
});

// The disk of the machine that runs the tests may be almost full.
vi.mock('../../../../appliance/server/host/free-space.ts', () => ({
  freeSpace: async () => ({ device: 1, free: 40e9 }),
}));

const serverWith = (files = {}) => TemporaryHost.with(files, noEngine);
const small = { release: { images: [imageOf('gateway', 1000)] } };
const huge = { release: { images: [imageOf('engine', 1e15)], models: [modelOf('qwen3:8b')] } };

describe('a release that is too large for the disk', () => {
  it('rejects a release that is too large for the disk, and writes no plan', async () => {
    const context = contextFor(serverWith(), huge);
    expect(await checkDisk(context)).toEqual([
      {
        message: expect.stringMatching(/^not enough disk space: \d+\.\d GB free, \d+/),
        hint: expect.stringContaining('or leave out qwen3:8b (5.2 GB)'),
      },
    ]);
    await storeDiskPlan(context);
    expect(await readDiskPlan(context.host, '1.0.0')).toBeUndefined();
  });
});

describe('a release with an existing disk plan', () => {
  it('skips the check of an existing disk plan against the space that the release uses', async () => {
    const host = serverWith({
      [diskPlanFile]: '{"release":"1.0.0","dropBlobs":false,"keepPrevious":true,"swap":0}',
    });
    const context = contextFor(host, huge);
    expect(await checkDisk(context)).toEqual([]);
    expect(await describeDisk(context)).toEqual([]);
  });

  it('checks the disk again for another version', async () => {
    const host = serverWith({
      [diskPlanFile]: '{"release":"0.9.0","dropBlobs":false,"keepPrevious":true,"swap":0}',
    });
    expect(await checkDisk(contextFor(host, huge))).toHaveLength(1);
  });

  // Regression: an update, or its rollback, needed the space of the release a second time.
  it('keeps the plan for the releases of later updates', async () => {
    const host = serverWith({
      'var/lib/landfall/installed': '0.9.0\n',
      [diskPlanFile]: '{"release":"0.9.0","dropBlobs":true,"keepPrevious":true,"swap":0}',
    });
    const context = contextFor(host, huge);
    expect(await checkDisk(context)).toEqual([]);
    await storeDiskPlan(context);
    expect(await readDiskPlan(host, '1.0.0')).toMatchObject({ release: '0.9.0', dropBlobs: true });
  });
});

describe('a release that fits on the disk', () => {
  it('announces its disk plan and writes it', async () => {
    const context = contextFor(serverWith(), small);
    expect(await describeDisk(context)).toEqual(['plan the disk: 2.6 kB for images and no models']);
    await storeDiskPlan(context);
    expect(await readDiskPlan(context.host, '1.0.0')).toEqual({
      release: '1.0.0',
      dropBlobs: false,
      keepPrevious: true,
      swap: 4 * 1024 ** 3,
    });
    expect(context.warned).toEqual([]);
  });

  it('gets a new plan if the existing one is damaged', async () => {
    const context = contextFor(serverWith({ [diskPlanFile]: '{"release":' }), small);
    await storeDiskPlan(context);
    expect(await readDiskPlan(context.host, '1.0.0')).toBeDefined();
    writeFileSync(context.host.path(diskPlanFile), '{"release":"1.0.0","more":1}');
    expect(await readDiskPlan(context.host, '1.0.0')).toBeUndefined();
  });
});

// Regression: after a failed first run, the report had no warnings of the plan.
describe('the warnings of a plan', () => {
  const tight = '{"release":"1.0.0","dropBlobs":false,"keepPrevious":false,"swap":0}';
  const release = { images: [imageOf('engine', null), imageOf('ui', null)] };
  const noRoom = expect.stringContaining('not enough disk space to keep this release');
  const unknown = expect.stringContaining('the sizes of 2 images are unknown');

  it('repeats the warnings of a disk plan in every run', async () => {
    const host = serverWith({ [diskPlanFile]: tight });
    for (const _ of [1, 2]) {
      const context = contextFor(host, { release });
      await storeDiskPlan(context);
      await warnOfDisk(context);
      expect(context.warned).toEqual([unknown, noRoom]);
    }
  });

  it('prints no disk warnings with sufficient space', async () => {
    const context = contextFor(serverWith(), small);
    await storeDiskPlan(context);
    await warnOfDisk(context);
    expect(context.warned).toEqual([]);
  });
});
