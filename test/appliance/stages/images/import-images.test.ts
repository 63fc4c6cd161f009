import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Amount } from '#contract/text/amount.ts';
import { type Digest, digestOf, hexOf } from '#contract/trust/digest.ts';
import type { PullPace } from '../../../../appliance/server/host/pull/retry-pull.ts';
import type { Context } from '../../../../appliance/server/stage/stage.ts';
import { importImages, pullCarried } from '../../../../appliance/stages/images/import-images.ts';
import { contextFor, imageOf } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import {
  failed,
  openDockerSocket,
  type PullAnswer,
  pulled,
  refused,
  tell,
} from './docker-socket.ts';

const manifest = Buffer.from(JSON.stringify({ schemaVersion: 2 }));
const path = `blobs/sha256/${hexOf(digestOf(manifest))}`;
const layer = Buffer.from('a layer that the folder does not have');
const carried = { manifest: digestOf(manifest), size: 1000 };
const images = [imageOf('engine', 1, carried), imageOf('ui', 2, carried)];

let releaseFolder: string;
beforeAll(async () => {
  releaseFolder = await mkdtemp(join(tmpdir(), 'landfall-import-'));
  await mkdir(join(releaseFolder, 'blobs/sha256'), { recursive: true });
  await writeFile(join(releaseFolder, path), manifest);
});
afterAll(() => rm(releaseFolder, { recursive: true }));
afterEach(() => {
  vi.useRealTimers();
});

/** Imports the images of a full bundle with the given responses of Docker. */
async function bringIn(answer: PullAnswer = pulled, more: Pick<Context, 'fetchBlobs'> = {}) {
  const host = TemporaryHost.with({}, { 'docker tag': '', 'docker image rm --no-prune': '' });
  const asked = openDockerSocket(host, answer);
  const files = [manifest, layer].map((bytes) => {
    const sha256 = hexOf(digestOf(bytes));
    const size = bytes.length;
    return { path: `blobs/sha256/${sha256}`, size, sha256, offset: 0, executable: false };
  });
  const bars: Amount[] = [];
  const { report, ...context } = contextFor(host, { release: { images, files } });
  const came = importImages(
    {
      ...context,
      ...more,
      releaseFolder,
      report: { ...report, progress: (bar) => void bars.push(bar) },
    },
    images,
  );
  await came.catch(() => undefined);
  return { came, asked, bars, host, said: context.said };
}

/** Requests a blob from the registry of the reference, like Docker. Returns the status. */
async function statusOf(reference: string, blob: Buffer): Promise<number> {
  const [, origin = '', name = ''] = /^([^/]+)\/(.+)@/.exec(reference) ?? [];
  return (await fetch(`http://${origin}/v2/${name}/blobs/${digestOf(blob)}`)).status;
}

/** Requests the manifest from the registry of the reference, like Docker. */
function manifestFrom(reference: string): Promise<string> {
  const [, origin = '', name = '', digest = ''] = /^([^/]+)\/(.+)@(.+)$/.exec(reference) ?? [];
  return new Promise((resolve, reject) => {
    request(`http://${origin}/v2/${name}/manifests/${digest}`, (response) =>
      resolve(text(response)),
    )
      .once('error', reject)
      .end();
  });
}

describe('images in the bundle', () => {
  it('pulls images in the bundle into Docker from the loopback registry', async () => {
    const given: string[] = [];
    const { came, asked, host, said } = await bringIn(async (response, one) => {
      given.push(await manifestFrom(one.reference));
      await pulled(response, one);
    });
    await came;
    expect(asked.map(({ reference }) => reference)).toEqual([
      expect.stringMatching(/^127\.0\.0\.1:\d+\/landfall\/engine@sha256:/),
      expect.stringMatching(/^127\.0\.0\.1:\d+\/landfall\/ui@sha256:/),
    ]);
    expect(given).toEqual([`${manifest}`, `${manifest}`]);
    expect(host.ran.filter((line) => line.startsWith('docker tag'))).toEqual(
      asked.map(
        ({ reference }, index) =>
          `docker tag ${reference} landfall.local/${images[index]?.component}:${'a'.repeat(12)}`,
      ),
    );
    expect(said).toEqual(['importing engine, ui']);
  });

  it('show one progress for all images', async () => {
    const { bars } = await bringIn((response) => {
      tell(response, { status: 'Downloading', id: 'a', progressDetail: { current: 9, total: 90 } });
      response.end();
    });
    expect(bars.map(({ done, total }) => [done, total])).toEqual([
      [9, 2000],
      [1000, 2000],
      [1009, 2000],
      [2000, 2000],
    ]);
  });

  it('count as time outside of the program', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { host } = await bringIn(async (response, one) => {
      vi.advanceTimersByTime(300_000);
      await pulled(response, one);
    });
    expect(host.outside.total).toBe(600_000);
  });

  /** Docker lacks a layer, which the folder of the release does not have either. */
  const lacking = async (reference: string) => {
    const status = await statusOf(reference, layer);
    return status === 200 ? pulled : failed('unknown blob');
  };

  it('fetches a layer that Docker requests and the folder does not have, and pulls again', async () => {
    const fetchBlobs = vi.fn(async (blobs: readonly Digest[]) => {
      for (const blob of blobs)
        await writeFile(join(releaseFolder, `blobs/sha256/${hexOf(blob)}`), layer);
    });
    const { came, asked } = await bringIn(
      async (response, one) => (await lacking(one.reference))(response, one),
      { fetchBlobs },
    );
    await came;
    expect(fetchBlobs.mock.calls).toEqual([[[digestOf(layer)]]]);
    expect(asked).toHaveLength(3);
    await rm(join(releaseFolder, `blobs/sha256/${hexOf(digestOf(layer))}`));
  });

  it('pulls an image from its registry if a layer can be fetched from nowhere else', async () => {
    const { came, asked } = await bringIn(async (response, one) => {
      const isOutside = !one.reference.startsWith('127.0.0.1');
      await (isOutside ? pulled : await lacking(one.reference))(response, one);
    });
    await came;
    expect(asked.map(({ reference }) => reference.split('/')[0])).toEqual([
      expect.stringMatching(/^127/),
      'docker.io',
      expect.stringMatching(/^127/),
      'docker.io',
    ]);
  });

  it('stop with the error of Docker if a fetched layer is still missing', async () => {
    const { came } = await bringIn(
      async (response, one) => (await lacking(one.reference))(response, one),
      { fetchBlobs: async () => {} },
    );
    await expect(came).rejects.toMatchObject({ code: 'IMAGE_MISMATCH' });
  });

  it('pulls images again after a transient failure', async () => {
    const answers = [failed('unexpected EOF'), pulled];
    const { came, asked } = await bringIn((...call) => (answers.shift() ?? pulled)(...call));
    await came;
    expect(asked).toHaveLength(3);
  });

  it('pulls images only once if the disk is full', async () => {
    const { came, asked } = await bringIn(failed('write /x: no space left on device'));
    await expect(came).rejects.toMatchObject({
      code: 'DISK_FULL',
      message: 'engine could not be pulled: no space left on the disk',
    });
    expect(asked).toHaveLength(1);
  });
});

afterEach(() => {
  vi.useRealTimers();
});

async function pull(answer: PullAnswer, pace: PullPace = {}) {
  const host = TemporaryHost.with({});
  const asked = openDockerSocket(host, answer);
  const report = { say: () => {}, progress: () => {} };
  const came = pullCarried(
    host,
    { host: '127.0.0.1:4', absent: new Set() },
    imageOf('engine', 1),
    report,
    {
      sleep: async () => {},
      ...pace,
    },
  );
  await came.catch(() => undefined);
  return { came, asked };
}

describe('an image that Docker cannot import from the release', () => {
  it.each([
    ['during the pull', failed('filesystem layer verification failed')],
    ['before the pull', refused(500, 'filesystem layer verification failed')],
  ])('causes an error that quotes Docker and names no mirror: %s', async (_, answer) => {
    const { came, asked } = await pull(answer);
    await expect(came).rejects.toMatchObject({
      code: 'IMAGE_MISMATCH',
      message: 'Docker cannot import the image of engine from the release',
      hint: expect.not.stringContaining('mirror'),
      problems: [{ message: 'Docker reports: filesystem layer verification failed' }],
    });
    expect(asked).toHaveLength(5);
  });

  it('fails after the stall timeout', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const limits = { fetching: 200, checking: 60_000 };
    const silent: PullAnswer = () => void vi.advanceTimersByTime(limits.fetching);
    const { came } = await pull(silent, { limits, attempts: 1 });
    await expect(came).rejects.toMatchObject({ code: 'IMAGE_MISMATCH' });
  });
});
