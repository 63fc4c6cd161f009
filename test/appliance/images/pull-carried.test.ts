import { afterEach, describe, expect, it, vi } from 'vitest';
import { pullCarried } from '../../../appliance/images/pull-carried.ts';
import type { PullPace } from '../../../appliance/images/retry-pull.ts';
import { imageOf } from '../context.ts';
import { TemporaryHost } from '../temporary-host.ts';
import { failed, openDockerSocket, type PullAnswer, refused } from './docker-socket.ts';

afterEach(() => {
  vi.useRealTimers();
});

async function pull(answer: PullAnswer, pace: PullPace = {}) {
  const host = TemporaryHost.with({});
  const asked = openDockerSocket(host, answer);
  const report = { say: () => {}, progress: () => {} };
  const came = pullCarried(host, '127.0.0.1:4', imageOf('engine', 1), report, {
    sleep: async () => {},
    ...pace,
  });
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
    const limits = { fetching: 200, unpacking: 60_000 };
    const silent: PullAnswer = () => void vi.advanceTimersByTime(limits.fetching);
    const { came } = await pull(silent, { limits, attempts: 1 });
    await expect(came).rejects.toMatchObject({ code: 'IMAGE_MISMATCH' });
  });
});
