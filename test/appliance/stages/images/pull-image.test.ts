import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import type { Amount } from '#contract/text/amount.ts';
import type { PullPace } from '../../../../appliance/server/host/pull/retry-pull.ts';
import { silentReporter } from '../../../../appliance/server/stage/reporter.ts';
import { pullImage } from '../../../../appliance/stages/images/pull-outside.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import {
  failed,
  openDockerSocket,
  type PullAnswer,
  pulled,
  refused,
  tell,
} from './docker-socket.ts';

const digest = `sha256:${'a'.repeat(64)}`;
const reference = `docker.io/x/engine@${digest}`;
const pace: PullPace = { sleep: async () => {} };

/** The progress of the current pull. */
let bars: Amount[];
afterEach(() => {
  vi.useRealTimers();
});

/** Pulls an image with the given responses of Docker. The last one is repeated. */
async function pull(
  answers: readonly PullAnswer[],
  options: PullPace = {},
  size: number | null = null,
) {
  const host = TemporaryHost.with({});
  const left = [...answers];
  const asked = openDockerSocket(host, (response, one) => {
    const answer = left.length > 1 ? left.shift() : left[0];
    return answer?.(response, one);
  });
  const said: string[] = [];
  bars = [];
  const report = {
    ...silentReporter,
    say: (line: string) => void said.push(line),
    progress: (amount: Amount) => void bars.push(amount),
  };
  const error = await pullImage(host, reference, size, report, { ...pace, ...options }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error !== undefined && !(error instanceof LandfallError)) throw error;
  return { host, asked, said, bars, error };
}

const layer = (id: string, current: number, total: number) => ({
  status: 'Downloading',
  progressDetail: { current, total },
  progress: '[=>   ]',
  id,
});

describe('an image pull', () => {
  it('requests the digest, without credentials', async () => {
    const { asked, said, error } = await pull([pulled]);
    expect(error).toBeUndefined();
    expect(asked).toEqual([{ reference, login: undefined }]);
    expect(said).toEqual([`pulling ${reference}`]);
  });

  it('shows the progress over all layers', async () => {
    const { bars } = await pull([
      (response) => {
        tell(
          response,
          { status: 'Pulling fs layer', progressDetail: {}, id: 'a' },
          { status: 'Pulling fs layer', progressDetail: {}, id: 'b' },
          layer('a', 10, 100),
          layer('b', 20, 50),
          layer('a', 90, 100),
          { status: 'Download complete', progressDetail: {}, id: 'a' },
          { status: 'Extracting', progressDetail: { current: 1, total: 400 }, id: 'a' },
        );
        response.end();
      },
    ]);
    expect(bars.map(({ done, total }) => [done, total])).toEqual([
      [10, 100],
      [30, 150],
      [110, 150],
      [120, 150],
    ]);
  });

  it('shows the progress over the total size if the release contains it', async () => {
    const answer: PullAnswer = (response) => {
      tell(response, layer('a', 10, 100));
      response.end();
    };
    expect((await pull([answer], {}, 1000)).bars).toEqual([
      { done: 10, total: 1000, unit: 'bytes' },
    ]);
  });

  it('ignores a layer of unknown length', async () => {
    const answer: PullAnswer = (response) => {
      tell(response, layer('a', 10, -1));
      response.end();
    };
    const { bars, error } = await pull([answer]);
    expect([bars.at(-1)?.done, error]).toEqual([0, undefined]);
  });

  it('does not interpret the unpacking time of some Docker versions as bytes', async () => {
    const answer: PullAnswer = (response) => {
      tell(response, { status: 'Extracting', progressDetail: { current: 3, units: 's' }, id: 'a' });
      response.end();
    };
    const { asked, bars, error } = await pull([answer]);
    expect([asked.length, bars, error]).toEqual([1, [], undefined]);
  });

  it('counts as time outside of the program', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const answer: PullAnswer = async (response, asked) => {
      vi.advanceTimersByTime(300_000);
      await pulled(response, asked);
    };
    expect((await pull([answer])).host.outside.total).toBe(300_000);
  });
});

describe('a failed image pull', () => {
  it('retries an image pull after a transient failure, and reports it', async () => {
    const reset = failed('read tcp 10.0.0.1:1->1.2.3.4:443: read: connection reset by peer');
    const { asked, said, error } = await pull([reset, pulled]);
    expect(error).toBeUndefined();
    expect(asked).toHaveLength(2);
    expect(said.at(-1)).toMatch(/^pulling .*could not be pulled; retrying in/);
  });

  it('ends after five attempts without progress', async () => {
    const { asked, error } = await pull([failed('net/http: TLS handshake timeout')]);
    expect(asked).toHaveLength(5);
    expect(error?.code).toBe('NETWORK_UNREACHABLE');
    expect(error?.problems).toEqual([
      { message: 'Docker reports: net/http: TLS handshake timeout' },
    ]);
  });

  it('continues as long as each attempt makes progress', async () => {
    let have = 0;
    const broken: PullAnswer = (response) => {
      have += 1_000_000;
      tell(response, layer('a', have, 9_000_000), { error: 'unexpected EOF' });
      response.end();
    };
    const { asked, error } = await pull([broken, broken, broken, broken, broken, broken, pulled]);
    expect(error).toBeUndefined();
    expect(asked).toHaveLength(7);
  });

  it.each([
    [
      'IMAGE_NOT_FOUND',
      refused(404, 'manifest for x/engine@sha256:aa not found: manifest unknown'),
    ],
    ['IMAGE_NOT_FOUND', failed('manifest unknown')],
    ['REGISTRY_AUTH', refused(404, 'pull access denied for x/engine, repository does not exist')],
    ['REGISTRY_AUTH', refused(500, 'Head "https://r/v2/": unauthorized: authentication required')],
    [
      'REGISTRY_RATE_LIMIT',
      refused(429, 'toomanyrequests: You have reached your pull rate limit.'),
    ],
    [
      'NETWORK_TLS',
      refused(500, 'Get "https://r/v2/": tls: failed to verify certificate: x509: …'),
    ],
    ['NETWORK_TLS', refused(500, 'http: server gave HTTP response to HTTPS client')],
    ['DISK_FULL', failed('write /var/lib/docker/tmp/x: no space left on device')],
  ])('stops an image pull after a permanent failure: %s', async (code, answer) => {
    const { asked, error } = await pull([answer, pulled]);
    expect(error?.code).toBe(code);
    expect(error?.hint).toMatch(/\.$/);
    expect(asked).toHaveLength(1);
  });

  it('does not show the signature of a blob URL', async () => {
    const words = 'Get "https://cdn.example/blob?Signature=s3cret&Expires=1": EOF';
    const { error } = await pull([failed(words)]);
    expect(JSON.stringify(error?.problems)).not.toContain('s3cret');
  });
});

// Docker never times out on a silent connection.
describe('a stalled image pull', () => {
  const limits = { fetching: 200, checking: 60_000 };
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });

  /** Waits for an amount of progress. */
  async function shown(count: number): Promise<void> {
    while (bars.length < count) await new Promise(setImmediate);
  }

  /** Waits until the pull has read a line, which may not be visible in the progress. */
  async function turns(): Promise<void> {
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
  }

  const silent: PullAnswer = () => void vi.advanceTimersByTime(limits.fetching);

  it.each<[string, PullAnswer]>([
    ['before the registry responds', silent],
    [
      'before the first layer',
      (response) => {
        tell(response, { status: 'Pulling from x', id: 'a' });
        vi.advanceTimersByTime(limits.fetching);
      },
    ],
    [
      'inside of a layer',
      async (response) => {
        vi.advanceTimersByTime(limits.fetching - 1);
        tell(response, layer('a', 10, 100));
        await shown(1);
        vi.advanceTimersByTime(limits.fetching);
      },
    ],
    [
      'with repeated lines',
      async (response) => {
        tell(response, layer('a', 10, 100));
        await shown(1);
        for (let time = 0; time < limits.fetching; time += 50) {
          vi.advanceTimersByTime(50);
          tell(response, layer('a', 10, 100));
          await turns();
        }
      },
    ],
  ])('cancels and retries a stalled image pull: %s', async (_, still) => {
    const { asked, error, said } = await pull([still, pulled], { limits });
    expect(error).toBeUndefined();
    expect(asked).toHaveLength(2);
    expect(said.at(-1)).toContain('stalled');
  });

  it('fails in the end, with a hint', async () => {
    const { error } = await pull([silent], { limits, attempts: 2 });
    expect(error).toMatchObject({
      code: 'NETWORK_TIMEOUT',
      hint: expect.stringContaining('mirror'),
    });
  });

  it('waits longer after the download, because some Docker versions unpack silently', async () => {
    const answer: PullAnswer = async (response, asked) => {
      tell(response, layer('a', 90, 100), { status: 'Download complete', id: 'a' });
      await shown(2);
      vi.advanceTimersByTime(limits.checking - 1);
      await pulled(response, asked);
    };
    const { asked, error } = await pull([answer], { limits });
    expect([asked.length, error]).toEqual([1, undefined]);
  });
});

describe('Docker', () => {
  it('that is not running causes a separate error', async () => {
    const pulling = pullImage(TemporaryHost.with({}), reference, null, silentReporter, pace);
    await expect(pulling).rejects.toMatchObject({
      code: 'DOCKER_UNREACHABLE',
      hint: 'Check the logs: sudo journalctl --unit docker --lines 50',
    });
  });

  it('that truncates its response is requested again', async () => {
    const cut: PullAnswer = (response) => void response.end('{"status":"Pull');
    expect((await pull([cut, pulled])).asked).toHaveLength(2);
  });

  it.each([
    ['invalid JSON', '<html>\n'],
    ['a string', '"x"\n'],
    ['an endless line', 'x'.repeat(1 << 20)],
  ])('that responds with %s causes an error', async (_, text) => {
    const { error, asked } = await pull([(response) => void response.end(text), pulled]);
    expect([error?.code, asked.length]).toEqual(['DOCKER_UNREACHABLE', 1]);
  });
});
