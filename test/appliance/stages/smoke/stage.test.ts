import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { utimes } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { smokeFile } from '#contract/server-paths.ts';
import { engineTests } from '../../../../appliance/shared/smoke/cases/engine.ts';
import { modelTests } from '../../../../appliance/shared/smoke/cases/models.ts';
import { prove, storedFailures } from '../../../../appliance/stages/smoke/stage.ts';
import { engineApi } from '../../../stand-ins/engine/api.ts';
import { putTinyModel } from '../../../stand-ins/engine/models/put-tiny-model.ts';
import { readSettings } from '../../../stand-ins/engine/settings.ts';
import { serve } from '../../../stand-ins/serve.ts';
import { contextFor, modelOf } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

/** Address of Ollama's container; the port is Ollama's default. */
const address = '127.11.43.4';
const tests = [...engineTests, ...modelTests];

let models: string;
let engine: Server | undefined;
beforeEach(() => {
  models = mkdtempSync(join(tmpdir(), 'landfall-models-'));
});
afterEach(() => {
  engine?.closeAllConnections();
  engine?.close();
  engine = undefined;
  rmSync(models, { recursive: true });
});

/** Starts an Ollama with this much memory, in bytes. */
async function startEngine(memory: number): Promise<void> {
  const settings = readSettings({
    OLLAMA_MODELS: models,
    LANDFALL_ENGINE_MEMORY: String(memory),
  });
  engine = await serve(await engineApi(settings, undefined), address, 11434);
}

/** A server with a release of one model, and Docker's output for the container's address. */
function contextWith(inspected: string | { code: number; stdout: string } = `${address} \n`) {
  const host = TemporaryHost.with({}, { 'ip -json address': '[]', 'docker inspect': inspected });
  return contextFor(host, { release: { models: [modelOf('tiny:1b')] } });
}

describe('the smoke stage on a server that is too small for its model', () => {
  // Regression: 2 cores and 2 GB with a model of 5.2 GB were retried every 30 seconds forever.
  it('succeeds with a warning and stores every result', async () => {
    await putTinyModel(models, 'tiny:1b');
    await startEngine(1024);
    const context = contextWith();
    await prove(context, { tests });
    expect(context.warned).toHaveLength(2);
    for (const line of context.warned) {
      expect(line).toMatch(
        /^test failed, the server may be too small for the model: a model \w+s a /,
      );
      expect(line).toContain('tiny:1b: llama-server process has terminated: exit status 1: ');
      expect(line).toContain('sudo landfall models pull qwen3:0.6b');
    }
    const kept = JSON.parse(readFileSync(context.host.path(smokeFile), 'utf8'));
    expect(kept).toMatchObject([
      { name: 'engine-version', outcome: 'passed' },
      { name: 'engine-models', outcome: 'passed' },
      { name: 'engine-generate', outcome: 'failed', beyondServer: true },
      { name: 'engine-generate-streamed', outcome: 'failed', beyondServer: true },
      { name: 'engine-unknown-model', outcome: 'passed' },
      { name: 'models-locked', outcome: 'passed' },
    ]);
  });
});

describe('the smoke stage on a server with an embedding model only', () => {
  it('succeeds without a warning', async () => {
    await putTinyModel(models, 'tiny:1b', 1, 'nomic-bert');
    await startEngine(1e9);
    const context = contextWith();
    await prove(context, { tests });
    expect(context.warned).toEqual([]);
    const kept = JSON.parse(readFileSync(context.host.path(smokeFile), 'utf8'));
    expect(kept).toHaveLength(tests.length);
  });
});

describe('the smoke stage on a server with a stopped Ollama', () => {
  it('turns the failure of a smoke test into a warning if the test failed before an update', async () => {
    const context = contextWith('\n');
    const failedBefore = tests.map(({ name }) => name);
    await prove(context, { tests, failedBefore });
    expect(context.warned).toContainEqual(
      expect.stringMatching(/^test failed, as before the update: the inference engine responds: /),
    );
  });

  // Docker 29 prints a missing address as `invalid IP`.
  it.each([['\n'], ['invalid IP \n'], [{ code: 1, stdout: '' }]])(
    'fails with the tests of Ollama, after %j',
    async (inspected) => {
      const context = contextWith(inspected);
      await expect(prove(context, { tests })).rejects.toMatchObject({
        code: 'SMOKE_FAILED',
        problems: expect.arrayContaining([
          {
            message:
              'test failed: the inference engine responds: the inference engine is not running',
            hint: expect.stringContaining('docker logs'),
          },
        ]),
      });
    },
  );
});

describe('the stored results of the smoke tests', () => {
  const results = [
    { name: 'a', outcome: 'passed' },
    { name: 'b', outcome: 'failed' },
  ];
  const hostWith = (text: string) => TemporaryHost.with({ [smokeFile]: text });

  it('name the tests that failed a moment ago', async () => {
    expect(await storedFailures(hostWith(JSON.stringify(results)), 60_000)).toEqual(['b']);
  });

  it('name the tests that failed in the millisecond of the question', async () => {
    const host = hostWith(JSON.stringify(results));
    // An mtime has fractions of a millisecond, which `Date.now()` truncates.
    const time = Date.now() / 1000 + 0.5;
    await utimes(host.path(smokeFile), time, time);
    expect(await storedFailures(host, 60_000)).toEqual(['b']);
  });

  it('stay for the tests that a change of the site does not run, with their time', async () => {
    await putTinyModel(models, 'tiny:1b');
    await startEngine(1e9);
    const context = contextWith();
    const { host } = context;
    const all = [...engineTests.filter(({ name }) => name === 'engine-version'), ...modelTests];
    await prove(context, { tests: all });
    const before = new Date(Date.now() - 30_000);
    await utimes(host.path(smokeFile), before, before);
    await prove(context, { tests: modelTests });
    const stored = JSON.parse(readFileSync(host.path(smokeFile), 'utf8'));
    expect(stored).toHaveLength(all.length);
    expect(statSync(host.path(smokeFile)).mtimeMs).toBeLessThan(Date.now() - 29_000);
    await prove(context, { tests: all });
    expect(statSync(host.path(smokeFile)).mtimeMs).toBeGreaterThan(Date.now() - 29_000);
  });

  it('do not count if they are old, damaged or of a clock that was ahead', async () => {
    const host = hostWith(JSON.stringify(results));
    for (const seconds of [-61, 3600]) {
      const time = Date.now() / 1000 + seconds;
      await utimes(host.path(smokeFile), time, time);
      expect(await storedFailures(host, 60_000)).toBeUndefined();
    }
    expect(await storedFailures(hostWith('{'), 60_000)).toBeUndefined();
    expect(await storedFailures(TemporaryHost.with({}), 60_000)).toBeUndefined();
  });
});
