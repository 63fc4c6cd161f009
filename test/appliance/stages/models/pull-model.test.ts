import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseModelMirror } from '#contract/site/model-mirror.ts';
import type { Amount } from '#contract/text/amount.ts';
import type { PullPace } from '../../../../appliance/server/host/pull/retry-pull.ts';
import { OllamaApi } from '../../../../appliance/server/ollama/ollama-api.ts';
import type { BilingualWarning } from '../../../../appliance/server/stage/reporter.ts';
import { silentReporter } from '../../../../appliance/server/stage/reporter.ts';
import { homeOf, sourceAt } from '../../../../appliance/stages/models/fetch-model.ts';
import { type ExpectedModel, pullModel } from '../../../../appliance/stages/models/pull-model.ts';
import { rejectionOf } from '../../../setup/landfall-error.ts';
import { failsWith, goesWell, SmallEngine } from './small-engine.ts';

const name = { host: 'registry.ollama.ai', namespace: 'library', model: 'qwen3', tag: '8b' };
const digest = 'b'.repeat(64);
const unlocked: ExpectedModel = { manifest: null, size: null };
const locked: ExpectedModel = { manifest: `sha256:${digest}`, size: 1000 };

let engine: SmallEngine;
let said: string[];
let amounts: Amount[];
beforeEach(async () => {
  engine = await SmallEngine.start();
  said = [];
  amounts = [];
});

afterEach(() => {
  vi.useRealTimers();
});

const report = {
  ...silentReporter,
  say: (line: string) => said.push(line),
  warn: ({ text }: BilingualWarning) => said.push(text.en),
  progress: (amount: Amount) => amounts.push(amount),
};
/** Retries without delay. */
const hasty: PullPace = { sleep: async () => {} };

async function pull(wanted = unlocked, source = homeOf(name), pace = hasty): Promise<void> {
  await pullModel(new OllamaApi(engine.origin), source, wanted, report, pace);
}

const failure = (...args: Parameters<typeof pull>) => rejectionOf(pull(...args));

const pulls = () => engine.asked.filter((each) => each.startsWith('POST /api/pull'));

describe('a pull from the registry of the model', () => {
  it('requests the plain name, and shows its progress', async () => {
    engine.onPull(goesWell(engine, 'qwen3:8b', digest));
    await pull(locked);
    expect(pulls()).toEqual(['POST /api/pull {"model":"qwen3:8b","stream":true}']);
    expect(said).toEqual(['pulling qwen3:8b from registry.ollama.ai']);
    expect(amounts).toEqual([
      { done: 0, total: 1000, unit: 'bytes' },
      { done: 600, total: 1000, unit: 'bytes' },
      { done: 1000, total: 1000, unit: 'bytes' },
    ]);
  });

  it('accepts any digest if none is locked', async () => {
    engine.onPull(goesWell(engine, 'qwen3:8b', 'c'.repeat(64)));
    await pull();
    expect([...engine.models.keys()]).toEqual(['qwen3:8b']);
  });

  it('rejects a model with another digest than the release, and removes it', async () => {
    engine.onPull(goesWell(engine, 'qwen3:8b', 'c'.repeat(64)));
    const { code, message, problems } = await failure(locked);
    expect(code).toBe('MODEL_FAILED');
    expect(message).toBe('digest mismatch of qwen3:8b from registry.ollama.ai');
    expect(problems[1]?.message).toBe(`received sha256:${'c'.repeat(64)}`);
    expect([...engine.models.keys()]).toEqual([]);
  });

  it('keeps a model that the user installed before', async () => {
    engine.models.set('qwen3:8b', 'c'.repeat(64));
    engine.onPull(goesWell(engine, 'qwen3:8b', 'c'.repeat(64)));
    expect((await failure(locked)).code).toBe('MODEL_FAILED');
    expect([...engine.models.keys()]).toEqual(['qwen3:8b']);
  });
});

describe('a pull from a mirror', () => {
  const at = (text: string) => {
    const mirror = parseModelMirror(text);
    const source = mirror && sourceAt(name, mirror);
    if (!source) throw new Error(`${text} is not a mirror`);
    return source;
  };

  it('tags the model with its plain name, and removes the name of the mirror', async () => {
    engine.onPull(goesWell(engine, 'mirror.example/library/qwen3:8b', digest));
    await pull(locked, at('https://mirror.example'));
    expect([...engine.models]).toEqual([['qwen3:8b', digest]]);
    expect(pulls()).toEqual([
      'POST /api/pull {"model":"mirror.example/library/qwen3:8b","stream":true}',
    ]);
  });

  it('uses plain HTTP if the mirror requires it', async () => {
    engine.onPull(goesWell(engine, '10.0.0.2:5000/models/qwen3:8b', digest));
    await pull(locked, at('http://10.0.0.2:5000/models'));
    expect(pulls()).toEqual([
      'POST /api/pull {"model":"10.0.0.2:5000/models/qwen3:8b","stream":true,"insecure":true}',
    ]);
  });

  it('keeps the installed model if the mirror has another digest', async () => {
    engine.models.set('qwen3:8b', digest);
    engine.onPull(goesWell(engine, 'mirror.example/library/qwen3:8b', 'c'.repeat(64)));
    expect((await failure(locked, at('mirror.example'))).message).toContain('digest mismatch');
    expect([...engine.models]).toEqual([['qwen3:8b', digest]]);
  });
});

describe('a failed pull', () => {
  it.each([
    ['pull model manifest: file does not exist', 'MODEL_FAILED', 'model or tag not found'],
    ['http: no Location header in response', 'MODEL_FAILED', 'does not redirect blobs'],
    ['write /root/.ollama/x: no space left on device', 'DISK_FULL', 'no space left on the disk'],
    ['tls: failed to verify certificate: x509: unknown', 'MODEL_FAILED', 'untrusted TLS'],
    [
      'pull model manifest: 412: requires a newer version of Ollama',
      'MODEL_FAILED',
      'newer version of Ollama',
    ],
    ['http: server gave HTTP response to HTTPS client', 'MODEL_FAILED', 'speaks plain HTTP'],
    ['pull model manifest: 401: unauthorized', 'MODEL_FAILED', 'authentication required'],
  ])('with a permanent error is not retried: %s', async (words, code, message) => {
    engine.onPull(failsWith(words));
    const error = await failure();
    expect(error.code).toBe(code);
    expect(error.message).toContain(message);
    expect(error.hint).toBeTruthy();
    expect(pulls()).toHaveLength(1);
  });

  it('with a transient error is retried', async () => {
    engine.onPull(failsWith('read tcp: connection reset by peer'), goesWell(engine, 'qwen3:8b'));
    await pull();
    expect(pulls()).toHaveLength(2);
    expect(said.at(-1)).toMatch(/^pulling qwen3:8b: .*; retrying in/);
  });

  it('retries a failed pull after a restart of Ollama', async () => {
    const cut = (line: (value: unknown) => void, response: { destroy(): unknown }) => {
      line({ status: 'pulling manifest' });
      setImmediate(() => response.destroy());
    };
    engine.onPull(cut, goesWell(engine, 'qwen3:8b'));
    await pull();
    expect(pulls()).toHaveLength(2);
  });

  it('with a truncated response is retried, up to a maximum', async () => {
    engine.onPull((line, response) => {
      line({ status: 'pulling manifest' });
      response.end();
    });
    const error = await failure(unlocked, homeOf(name), { ...hasty, attempts: 3 });
    expect(error.message).toBe('Ollama does not respond');
    expect(pulls()).toHaveLength(3);
  });

  it('retries a failed pull as long as each attempt makes progress', async () => {
    let at = 0;
    const piece = (line: (value: unknown) => void, response: { end(): unknown }) => {
      at += 100_000;
      line({ status: 'pulling x', digest: 'sha256:x', total: 1e6, completed: at });
      if (at >= 900_000) return goesWell(engine, 'qwen3:8b')(line, response as never);
      line({ error: 'unexpected EOF' });
      return response.end();
    };
    engine.onPull(piece);
    await pull(unlocked, homeOf(name), { ...hasty, attempts: 2 });
    expect(pulls()).toHaveLength(9);
  });

  it('says that no data arrives while Ollama retries without a word', async () => {
    engine.onPull(() => new Promise(() => {}), goesWell(engine, 'qwen3:8b', digest));
    const limits = { fetching: 200, checking: 200 };
    await pull(unlocked, homeOf(name), { ...hasty, limits, quiet: 20 });
    expect(said).toContainEqual(expect.stringMatching(/^no data for .*still trying/));
  });

  it('cancels and retries a pull after a stall', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const still = async (line: (value: unknown) => void) => {
      // The first line is progress; repeating it is not.
      for (let told = 1; told <= 4; told += 1) {
        line({ status: 'pulling x', digest: 'sha256:x', total: 10, completed: 3 });
        while (amounts.length < told) await new Promise(setImmediate);
        vi.advanceTimersByTime(20);
      }
    };
    engine.onPull(still, goesWell(engine, 'qwen3:8b'));
    await pull(unlocked, homeOf(name), { ...hasty, limits: { fetching: 80, checking: 80 } });
    expect(pulls()).toHaveLength(2);
    expect(
      said.some((line) => line.includes('the pull of qwen3:8b from registry.ollama.ai stalled')),
    ).toBe(true);
  });

  it('never shows the signature of a URL', async () => {
    const secret = 'X-Amz-Signature=0123abcd';
    engine.onPull(failsWith(`Get "https://cdn.example/a/b?${secret}&x=1": unexpected EOF`));
    const error = await failure(unlocked, homeOf(name), { ...hasty, attempts: 2 });
    expect(JSON.stringify([error.message, error.problems, said])).not.toContain('0123abcd');
    expect(error.problems[0]?.message).toContain('https://cdn.example/a/b?…');
  });

  it('reports a model that Ollama does not list after the pull', async () => {
    engine.onPull((line, response) => {
      line({ status: 'success' });
      response.end();
    });
    expect((await failure()).message).toContain('does not list');
  });

  it('hints at the log if Ollama is not running', async () => {
    await engine.close();
    const error = await failure();
    expect([error.code, error.message]).toEqual(['STACK_UNHEALTHY', 'Ollama does not respond']);
  });
});
