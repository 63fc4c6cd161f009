import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { modelTests } from '../../../../appliance/shared/smoke/cases/models.ts';
import type { SmokeResult } from '../../../../appliance/shared/smoke/smoke-test.ts';
import type { LockedModel } from '../../../../appliance/shared/smoke/target.ts';
import { insideTarget, outsideTarget } from './inside-target.ts';
import { resultOf } from './outcomes.ts';

const [hex, other] = ['a'.repeat(64), 'b'.repeat(64)];
const locked: LockedModel = { name: 'qwen3:8b', digest: `sha256:${hex}` };

/** Returns the result for the digests that Ollama lists and those of the release. */
async function result(
  listed: Readonly<Record<string, string | undefined>>,
  models: readonly LockedModel[],
): Promise<SmokeResult> {
  const list = Object.entries(listed).map(([name, digest]) => ({
    name,
    model: name,
    digest,
    size: 1,
    modified_at: '2026-01-01T00:00:00Z',
  }));
  const server = createServer((_, response) => response.end(JSON.stringify({ models: list })));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const engine = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return await resultOf('models-locked', insideTarget({}, { engine, models }), modelTests);
  } finally {
    server.close();
  }
}

describe('the models of a release', () => {
  it('match those of Ollama by digest', async () => {
    expect((await result({ 'qwen3:8b': hex }, [locked])).outcome).toBe('passed');
  });

  it('differ from others with the same name', async () => {
    expect(await result({ 'qwen3:8b': other }, [locked])).toMatchObject({
      outcome: 'failed',
      detail: 'digest differs from the release: qwen3:8b',
    });
  });

  it('may have another letter case', async () => {
    const shouting = { ...locked, name: 'Qwen3:8B' };
    expect((await result({ 'qwen3:8b': other }, [shouting])).outcome).toBe('failed');
  });

  it('match any digest if the release pins none, beside other models', async () => {
    const open = { ...locked, digest: null };
    expect((await result({ 'qwen3:8b': other, 'mine:1b': other }, [open])).outcome).toBe('passed');
  });

  it('skips the models of a release while they are not installed', async () => {
    expect(await result({ 'mine:1b': other }, [locked])).toMatchObject({
      outcome: 'skipped',
      detail: 'not installed yet: qwen3:8b',
    });
  });

  // Regression: with one installed and one missing model, the test passed.
  it('skips the models if one is missing, unless one has another digest', async () => {
    const more = { name: 'gemma3:4b', digest: `sha256:${hex}` };
    expect(await result({ 'qwen3:8b': hex }, [locked, more])).toMatchObject({
      outcome: 'skipped',
      detail: 'not installed yet: gemma3:4b',
    });
    expect(await result({ 'qwen3:8b': other }, [locked, more])).toMatchObject({
      outcome: 'failed',
      detail: 'digest differs from the release: qwen3:8b',
    });
  });

  it('skips the models if the release has none, or from a laptop', async () => {
    expect((await result({}, [])).detail).toBe('the release has no model');
    const { outcome } = await resultOf('models-locked', outsideTarget(), modelTests);
    expect(outcome).toBe('skipped');
  });
});
