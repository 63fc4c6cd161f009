import { describe, expect, it, vi } from 'vitest';
import { preflightStage } from '../../../appliance/preflight/stage.ts';
import { noEngine } from '../answers.ts';
import { contextFor, imageOf, modelOf } from '../context.ts';
import { type Answers, TemporaryHost } from '../temporary-host.ts';

// The disk of the machine that runs the tests may be almost full.
vi.mock('../../../appliance/host/free-space.ts', () => ({
  freeSpace: async () => ({ device: 1, free: 40e9 }),
}));

/** The clock is right, no port is taken, nothing of others is there, the kernel allows all. */
const fine: Answers = {
  ...noEngine,
  timedatectl: 'yes',
  ss: '',
  'dpkg-query': 1,
  'systemctl list-unit-files': '',
  unshare: '',
};

describe('a fresh server that fits', () => {
  it('only has its disk planned, then has nothing left to do', async () => {
    const context = contextFor(TemporaryHost.with({}, fine));
    expect(await preflightStage.check(context)).toEqual([
      'plan the disk: 0 B for images and no models',
    ]);
    await preflightStage.apply(context);
    await preflightStage.prove(context);
    expect(await preflightStage.check(context)).toEqual([]);
  });

  it('is warned that no local model fits', async () => {
    const host = TemporaryHost.with({}, fine);
    const release = { models: [modelOf('qwen3:8b')] };
    const context = contextFor(host, { server: { memory: 4e9 }, release });
    await preflightStage.apply(context);
    await preflightStage.prove(context);
    expect(context.warned).toEqual([
      'hosted models only: no chat model of the release fits this server',
    ]);
  });

  // They were lost when a later stage failed and the first boot went on.
  it('is warned of its disk in every run, not in that alone which made the plan', async () => {
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

  it('is warned of a release that has expired, which it installs all the same', async () => {
    const host = TemporaryHost.with({}, fine);
    const context = contextFor(host, { release: { expires: '2026-10-01T00:00:00Z' } });
    await preflightStage.prove(context);
    expect(context.warned).toEqual([
      expect.stringMatching(/^release 1\.0\.0 expired on 2026-10-01T00:00:00Z/),
    ]);
  });

  it('is warned of a model that is slow on few processors', async () => {
    const host = TemporaryHost.with({}, fine);
    const context = contextFor(host, {
      server: { cpus: 2 },
      release: { models: [modelOf('qwen3:8b')] },
    });
    await preflightStage.prove(context);
    expect(context.warned).toEqual(['qwen3:8b will be slow on 2 processors']);
  });
});

describe('a server with many faults', () => {
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
        site: { release: ['http://downloads.example.com/'] },
      },
    );

  it('is told of a model that its site names and it has no memory for', async () => {
    const context = contextFor(TemporaryHost.with({}, fine), {
      server: { memory: 4e9 },
      site: { models: ['qwen3:8b'] },
      release: { models: [modelOf('qwen3:8b')] },
    });
    await expect(preflightStage.prove(context)).rejects.toMatchObject({
      code: 'SERVER_UNFIT',
      problems: [
        {
          message: expect.stringMatching(/^not enough memory for qwen3:8b: it needs about 6\.2 GB/),
        },
      ],
    });
  });

  it('is told all of them at once', async () => {
    const error = await preflightStage.prove(faults()).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'SERVER_UNFIT',
      hint: expect.stringContaining('Nothing was installed'),
    });
    expect(error).toHaveProperty('problems.length', 6);
  });

  it('reads the same in the plan', async () => {
    const plan = await preflightStage.check(faults());
    const refusals = plan.filter((line) => line.startsWith('reject this server: '));
    expect(refusals).toHaveLength(6);
    expect(refusals).toContainEqual(expect.stringMatching(/ \(\S.*\)$/));
  });
});

describe('a site that was changed on the server and does not fit together any more', () => {
  it('is refused before anything starts, with what to write instead', async () => {
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
