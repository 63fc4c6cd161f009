import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { engineApi } from './api.ts';
import { putTinyModel } from './put-tiny-model.ts';
import { readSettings } from './settings.ts';

let models: string;
beforeEach(() => {
  models = mkdtempSync(join(tmpdir(), 'landfall-models-'));
});
afterEach(() => rmSync(models, { recursive: true }));

/** What the engine answers to a request about `tiny:1b`. */
async function answer(path: string, memory?: string) {
  const settings = readSettings({ OLLAMA_MODELS: models, LANDFALL_ENGINE_MEMORY: memory });
  const handler = await engineApi(settings, undefined);
  const body = JSON.stringify({ model: 'tiny:1b', prompt: 'Why?', stream: false });
  const response = await handler(new Request(`http://engine${path}`, { method: 'POST', body }));
  const said = (await response.json()) as { error?: string; capabilities?: string[] };
  return { status: response.status, body: said };
}

describe('an engine without the memory for a model', () => {
  it('says how much it wants and how much there is', async () => {
    await putTinyModel(models, 'tiny:1b');
    const { status, body } = await answer('/api/generate', '104857');
    expect(status).toBe(500);
    expect(body.error).toMatch(
      /^model requires more system memory \(\d\.\d MiB\) than is available \(0\.1 MiB\)$/,
    );
  });
});

describe('an engine with a model that makes embeddings', () => {
  it('says so, and does not have it write', async () => {
    await putTinyModel(models, 'tiny:1b', 1, 'nomic-bert');
    expect((await answer('/api/show')).body.capabilities).toEqual(['embedding']);
    for (const kind of ['generate', 'chat']) {
      expect(await answer(`/api/${kind}`)).toEqual({
        status: 400,
        body: { error: `"tiny:1b" does not support ${kind}` },
      });
    }
  });
});
