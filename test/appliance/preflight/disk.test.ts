import { writeFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { diskPlanFile, readDiskPlan } from '../../../appliance/host/disk-plan.ts';
import {
  describeDisk,
  judgeDisk,
  settleDisk,
  warnOfDisk,
} from '../../../appliance/preflight/disk.ts';
import { noEngine } from '../answers.ts';
import { contextFor, imageOf, modelOf } from '../context.ts';
import { TemporaryHost } from '../temporary-host.ts';

// The disk of the machine that runs the tests may be almost full.
vi.mock('../../../appliance/host/free-space.ts', () => ({
  freeSpace: async () => ({ device: 1, free: 40e9 }),
}));

const serverWith = (files = {}) => TemporaryHost.with(files, noEngine);
const small = { release: { images: [imageOf('gateway', 1000)] } };
const huge = { release: { images: [imageOf('engine', 1e15)], models: [modelOf('qwen3:8b')] } };

describe('a release that is too large for the disk', () => {
  it('is rejected, and no plan is written', async () => {
    const context = contextFor(serverWith(), huge);
    expect(await judgeDisk(context)).toEqual([
      {
        message: expect.stringMatching(/^not enough disk space: \d+\.\d GB free, \d+/),
        hint: expect.stringContaining('or leave out qwen3:8b (5.2 GB)'),
      },
    ]);
    await settleDisk(context);
    expect(await readDiskPlan(context.host, '1.0.0')).toBeUndefined();
  });
});

describe('a release with an existing disk plan', () => {
  it('is not checked again against the space that it uses', async () => {
    const host = serverWith({
      [diskPlanFile]: '{"release":"1.0.0","dropBlobs":false,"keepPrevious":true,"swap":0}',
    });
    const context = contextFor(host, huge);
    expect(await judgeDisk(context)).toEqual([]);
    expect(await describeDisk(context)).toEqual([]);
  });

  it('is checked again for another version', async () => {
    const host = serverWith({
      [diskPlanFile]: '{"release":"0.9.0","dropBlobs":false,"keepPrevious":true,"swap":0}',
    });
    expect(await judgeDisk(contextFor(host, huge))).toHaveLength(1);
  });
});

describe('a release that fits on the disk', () => {
  it('announces its disk plan and writes it', async () => {
    const context = contextFor(serverWith(), small);
    expect(await describeDisk(context)).toEqual(['plan the disk: 2.6 kB for images and no models']);
    await settleDisk(context);
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
    await settleDisk(context);
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

  it('are repeated in every run', async () => {
    const host = serverWith({ [diskPlanFile]: tight });
    for (const _ of [1, 2]) {
      const context = contextFor(host, { release });
      await settleDisk(context);
      await warnOfDisk(context);
      expect(context.warned).toEqual([unknown, noRoom]);
    }
  });

  it('are empty with sufficient space', async () => {
    const context = contextFor(serverWith(), small);
    await settleDisk(context);
    await warnOfDisk(context);
    expect(context.warned).toEqual([]);
  });
});
