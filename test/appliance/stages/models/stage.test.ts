import { existsSync, readFileSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { modelsStage } from '../../../../appliance/stages/models/stage.ts';
import { diskPlanFile } from '../../../../appliance/stages/preflight/public.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import {
  type BundledModel,
  blobOfHost,
  bundledModel,
  manifestOfHost,
  serverWith,
  store,
  withoutFiles,
} from './bundled-model.ts';
import { failsWith, goesWell, SmallEngine } from './small-engine.ts';

const tiny = bundledModel('tiny:1b');
const large = bundledModel('large:70b');

let engine: SmallEngine;
beforeEach(async () => {
  engine = await SmallEngine.start();
});

/** Returns a server with the Ollama of the test. */
function server(bundled: readonly BundledModel[] = [tiny], site: Record<string, unknown> = {}) {
  const found = serverWith(bundled, { site: { ports: { engine: engine.port }, ...site } });
  engine.store = found.host.path(store);
  return found;
}

const planOf = (dropBlobs: boolean) =>
  JSON.stringify({ release: '1.0.0', dropBlobs, keepPrevious: true, swap: 0 });

describe('a release without models', () => {
  it('needs neither an action nor Ollama', async () => {
    const { host, context } = server([]);
    await engine.close();
    expect(await modelsStage.check(context)).toEqual([]);
    await modelsStage.apply(context);
    await modelsStage.prove(context);
    expect(host.ran).toEqual([]);
  });
});

describe('a model in the bundle', () => {
  it('plans and imports a model in the bundle, and finds it complete in the next check', async () => {
    const { context } = server();
    expect(await modelsStage.check(context)).toEqual(['import tiny:1b (52 B) from the bundle']);
    await modelsStage.apply(context);
    await modelsStage.prove(context);
    expect(await modelsStage.check(context)).toEqual([]);
    expect(context.warned).toEqual([]);
    expect(engine.asked.filter((each) => each.includes('pull'))).toEqual([]);
  });

  it('plans a model in the bundle before Ollama or Docker is installed', async () => {
    for (const answer of [1, 'TOOL_MISSING'] as const) {
      const host = TemporaryHost.with(
        {},
        { 'docker volume inspect': answer === 1 ? 1 : () => missing() },
      );
      const { model } = tiny;
      const context = contextFor(host, { release: { models: [model] } });
      expect(await modelsStage.check(context)).toEqual([
        'pull tiny:1b (52 B) from registry.ollama.ai',
      ]);
    }
  });

  it('writes a model again if one of its blobs is missing', async () => {
    const { host, context } = server();
    await modelsStage.apply(context);
    rmSync(host.path(blobOfHost([...tiny.blobs.keys()][0] ?? '')));
    expect(await modelsStage.check(context)).toHaveLength(1);
    await modelsStage.apply(context);
    expect(await modelsStage.check(context)).toEqual([]);
  });

  it('stops the first boot if it is damaged', async () => {
    const { context, put } = server();
    put(`release/models/sha256/${tiny.model.manifest.slice('sha256:'.length)}`, '{}');
    await expect(modelsStage.apply(context)).rejects.toMatchObject({ code: 'MODEL_FAILED' });
  });

  it('fails if Ollama lists another digest or none', async () => {
    const { context } = server();
    await modelsStage.apply(context);
    engine.store = '';
    await expect(modelsStage.prove(context)).rejects.toMatchObject({ code: 'MODEL_FAILED' });
    engine.models.set('tiny:1b', 'c'.repeat(64));
    await expect(modelsStage.prove(context)).rejects.toMatchObject({
      problems: [{ message: 'tiny:1b is not listed, or has another digest' }],
    });
  });
});

describe('a model that is not in the bundle', () => {
  const thin = (site: Record<string, unknown> = {}) => {
    const found = server([tiny], site);
    withoutFiles(found.host);
    return found;
  };

  it('pulls a model that is not in the bundle', async () => {
    const { context } = thin();
    engine.onPull(goesWell(engine, 'tiny:1b', tiny.model.manifest.slice('sha256:'.length)));
    expect(await modelsStage.check(context)).toEqual([
      'pull tiny:1b (52 B) from registry.ollama.ai',
    ]);
    await modelsStage.apply(context);
    expect([...engine.models.keys()]).toEqual(['tiny:1b']);
    expect(context.warned).toEqual([]);
    expect(await modelsStage.check(context)).toEqual([]);
  });

  it('pulls a model from the mirror of the site first', async () => {
    const { context } = thin({ mirrors: { models: 'http://10.0.0.2:5000/models' } });
    engine.onPull(
      failsWith('pull model manifest: file does not exist'),
      goesWell(engine, 'tiny:1b', tiny.model.manifest.slice('sha256:'.length)),
    );
    expect(await modelsStage.check(context)).toEqual([
      'pull tiny:1b (52 B) from 10.0.0.2:5000 or registry.ollama.ai',
    ]);
    await modelsStage.apply(context);
    const pulled = engine.asked.filter((each) => each.startsWith('POST /api/pull'));
    expect(pulled.map((each) => JSON.parse(each.slice('POST /api/pull '.length)).model)).toEqual([
      '10.0.0.2:5000/models/tiny:1b',
      'tiny:1b',
    ]);
  });

  // A slow connection or a blocked registry must not fail the first boot.
  it('warns with the command to continue if a model cannot be pulled', async () => {
    const { context } = thin();
    engine.onPull(failsWith('pull model manifest: file does not exist'));
    await modelsStage.apply(context);
    await modelsStage.prove(context);
    expect(context.warned).toHaveLength(1);
    expect(context.warned[0]).toMatch(
      /^tiny:1b is not installed yet: cannot pull tiny:1b from registry.ollama.ai: model or tag not found/,
    );
    expect(context.warned[0]).toMatch(/Then run: sudo landfall models pull tiny:1b$/);
    expect(await modelsStage.check(context)).toHaveLength(1);
  });

  it('warns if the digest of a pulled model is not that of the release', async () => {
    const { context } = thin();
    engine.onPull(goesWell(engine, 'tiny:1b', 'c'.repeat(64)));
    await modelsStage.apply(context);
    expect(context.warned[0]).toContain('digest mismatch of tiny:1b from registry.ollama.ai');
    expect([...engine.models.keys()]).toEqual([]);
  });

  it('warns before the download of a model if the disk is too small', async () => {
    const { context } = thin();
    const models = [{ ...tiny.model, size: 9e15 }];
    await modelsStage.apply({ ...context, release: { ...context.release, models } });
    expect(context.warned[0]).toMatch(/not enough disk space for tiny:1b: 9000 TB needed, .* free/);
    expect(engine.asked.filter((each) => each.includes('pull'))).toEqual([]);
  });

  it('does not affect other models if it fails', async () => {
    const { context } = server([large, tiny]);
    const { models, files } = context.release;
    const [first, ...rest] = models;
    if (!first) throw new Error('there is a model');
    const outside = { ...first, manifest: `sha256:${'d'.repeat(64)}` };
    engine.onPull(failsWith('pull model manifest: file does not exist'));
    const release = { ...context.release, models: [outside, ...rest], files };
    await modelsStage.apply({ ...context, release });
    await modelsStage.prove({ ...context, release });
    expect(context.warned).toHaveLength(1);
  });
});

// Newer versions of Ollama store manifests as blobs, and names in a separate folder.
describe('an Ollama that stores names elsewhere', () => {
  it('trusts the models that Ollama lists if their blobs are complete', async () => {
    const { host, context, put } = server();
    withoutFiles(host);
    engine.models.set('tiny:1b', tiny.model.manifest.slice('sha256:'.length));
    put(blobOfHost(tiny.model.manifest), tiny.manifest);
    for (const [digest, bytes] of tiny.blobs) put(blobOfHost(digest), bytes);
    expect(await modelsStage.check(context)).toEqual([]);
    put(blobOfHost([...tiny.blobs.keys()][1] ?? ''), 'cut');
    expect(await modelsStage.check(context)).toHaveLength(1);
  });

  it('removes another model with the same name if it keeps listing that', async () => {
    const { context } = server();
    engine.models.set('tiny:1b', 'c'.repeat(64));
    expect(await modelsStage.check(context)).toHaveLength(1);
    await modelsStage.apply(context);
    await modelsStage.prove(context);
    expect(engine.asked).toContain('DELETE /api/delete {"model":"tiny:1b"}');
    expect(await modelsStage.check(context)).toEqual([]);
  });
});

describe('the time that Ollama needs', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('excludes the time that Ollama needs from the time of the program', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { host, context } = server();
    withoutFiles(host);
    engine.onPull((line, response) => {
      vi.advanceTimersByTime(300_000);
      line({ error: 'pull model manifest: file does not exist' });
      response.end();
    });
    const before = host.outside.total;
    await modelsStage.apply(context);
    expect(host.outside.total - before).toBe(300_000);
  });
});

describe('the copy of the models in the bundle', () => {
  it('deletes the copy of the models without disk space for it, and keeps the models', async () => {
    const { host, context, put } = server();
    put(diskPlanFile, planOf(true));
    await modelsStage.apply(context);
    expect(existsSync(host.path('release/models'))).toBe(false);
    expect(existsSync(host.path('release/models.dropped'))).toBe(false);
    expect(readFileSync(host.path(manifestOfHost('tiny:1b')))).toEqual(tiny.manifest);
    expect(await modelsStage.check(context)).toEqual([]);
  });

  it('keeps the copy of the models if there is disk space', async () => {
    const { host, context, put } = server();
    put(diskPlanFile, planOf(false));
    await modelsStage.apply(context);
    expect(readFileSync(host.path(manifestOfHost('tiny:1b')))).toEqual(tiny.manifest);
    expect(existsSync(host.path('release/models'))).toBe(true);
  });

  it('pulls a model after its copy was deleted and the user removed the model', async () => {
    const { host, context, put } = server();
    put(diskPlanFile, planOf(true));
    await modelsStage.apply(context);
    rmSync(host.path(manifestOfHost('tiny:1b')));
    expect(await modelsStage.check(context)).toEqual([
      'pull tiny:1b (52 B) from registry.ollama.ai',
    ]);
  });
});

function missing(): never {
  throw new LandfallError('TOOL_MISSING', 'docker: command not found on this server');
}
