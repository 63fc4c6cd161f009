import { readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { digestOf } from '#contract/trust/digest.ts';
import { engineTests } from '../../../appliance/shared/smoke/cases/engine.ts';
import { modelTests } from '../../../appliance/shared/smoke/cases/models.ts';
import { runSmoke } from '../../../appliance/shared/smoke/run-smoke.ts';
import { modelStates, readModelName } from '../../../appliance/stages/models/public.ts';
import { pullByHand } from '../../../appliance/stages/models/pull-by-hand.ts';
import { modelsStage } from '../../../appliance/stages/models/stage.ts';
import { insideTarget } from '../../appliance/shared/smoke/inside-target.ts';
import { cutAfter, inTurn, serve as serveBytes } from '../../faulty-server/faults.ts';
import { engineApi } from '../../stand-ins/engine/api.ts';
import { tinyModel } from '../../stand-ins/engine/models/put-tiny-model.ts';
import { readSettings } from '../../stand-ins/engine/settings.ts';
import { ModelRegistry } from '../../stand-ins/model-registry/model-registry.ts';
import { needs } from '../needs.ts';
import { EngineMachine, lockedModel, store, unpack, weightsOf } from './engine-machine.ts';

const real = needs('llama');
real.describe('a bundled model, on a real inference engine', () => {
  const files = tinyModel(11);
  let machine: EngineMachine;
  let context: ReturnType<EngineMachine['context']>;

  beforeAll(async () => {
    machine = await EngineMachine.start(real.llama);
    const model = lockedModel('tiny:1b', files);
    context = machine.context({ models: [model], files: unpack(machine.host, files) });
  });
  afterAll(() => machine?.close());

  it('writes a bundled model to the store while Ollama runs, listed with the locked digest', async () => {
    await modelsStage.apply(context);
    await modelsStage.prove(context);
    const { models } = await machine.client.list();
    expect(models).toMatchObject([
      { name: 'tiny:1b', digest: digestOf(files.manifest).slice('sha256:'.length) },
    ]);
    expect(await modelsStage.check(context)).toEqual([]);
  });

  it('generates', async () => {
    const answer = await machine.client.generate({
      model: 'tiny:1b',
      prompt: 'Why?',
      stream: false,
      options: { num_predict: 6, seed: 1, temperature: 0 },
    });
    expect([answer.done, (answer.response ?? '').length > 0]).toEqual([true, true]);
  });

  // This model ended without any output in one run of fifty.
  it('generates text with every seed', async () => {
    for (let seed = 1; seed <= 100; seed += 1) {
      const options = { num_predict: 1, seed };
      const request = { model: 'tiny:1b', prompt: 'Say hello.', stream: false, options } as const;
      const { done_reason } = await machine.client.generate(request);
      expect({ seed, done_reason }).toEqual({ seed, done_reason: 'length' });
    }
  });

  it('passes the smoke tests', async () => {
    const [model] = context.release.models;
    const models = model ? [{ name: 'tiny:1b', digest: model.manifest }] : [];
    const engine = `http://127.0.0.1:${machine.port}`;
    const target = insideTarget({}, { engine, models });
    const results = await runSmoke(target, undefined, [...engineTests, ...modelTests]);
    expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
    expect(results).toHaveLength(engineTests.length + modelTests.length);
  });

  it('survives a restart of Ollama, which removes unreferenced blobs', async () => {
    const settings = readSettings({ OLLAMA_MODELS: machine.host.path(store) });
    await engineApi(settings, undefined);
    const [model] = await modelStates(context);
    expect(model?.present).toBe(true);
    expect(readdirSync(machine.host.path(store, 'blobs'))).toHaveLength(files.blobs.size);
  });

  it('restores a model from the bundle after a manual removal', async () => {
    await machine.client.delete({ model: 'tiny:1b' });
    expect(await modelsStage.check(context)).toHaveLength(1);
    await pullByHand(context, readModelName('tiny:1b'), undefined);
    expect((await machine.client.list()).models).toHaveLength(1);
  });

  // Ollama would treat a truncated blob as complete forever.
  it('repairs a bundled model when one of its blobs is truncated', async () => {
    const [digest, bytes] = weightsOf(files);
    const path = machine.host.path(store, 'blobs', digest.replace(':', '-'));
    await machine.client.generate({ model: 'tiny:1b', prompt: '', keep_alive: 0, stream: false });
    writeFileSync(`${path}.cut`, bytes.subarray(0, 100));
    renameSync(`${path}.cut`, path);
    await modelsStage.apply(context);
    expect(statSync(path).size).toBe(bytes.length);
    await modelsStage.prove(context);
  });
});

real.describe('a model that a real inference engine pulls', () => {
  const files = tinyModel(12);
  const [digest, bytes] = weightsOf(files);
  let registry: ModelRegistry;
  let machine: EngineMachine;

  beforeAll(async () => {
    registry = await ModelRegistry.start();
    registry.push('library/tiny:1b', files);
    registry.push('models/tiny:1b', files);
    registry.push('library/moved:1b', tinyModel(13));
    machine = await EngineMachine.start(real.llama, `http://${registry.host}`);
  });
  afterAll(async () => {
    await machine?.close();
    await registry?.close();
  });

  const names = async () => (await machine.client.list()).models.map(({ name }) => name);

  it('completes a model after an interrupted pull is resumed', async () => {
    const half = Math.floor(bytes.length / 2);
    registry.faultOf(digest, inTurn(cutAfter(half, bytes), serveBytes(bytes)));
    const context = machine.context({ models: [lockedModel('tiny:1b', files)] });
    await modelsStage.apply(context);
    await modelsStage.prove(context);
    expect(context.warned).toEqual([]);
    expect(await names()).toEqual(['tiny:1b']);
    const asked = registry.contentPaths().filter((path) => path.includes(digest));
    expect(asked).toHaveLength(2);
    await machine.client.delete({ model: 'tiny:1b' });
  });

  it('comes from the mirror of the site, and has only its plain name', async () => {
    const mirrors = { models: `http://${registry.host}/models` };
    const context = machine.context({ models: [lockedModel('tiny:1b', files)] }, { mirrors });
    expect(await modelsStage.check(context)).toEqual([
      expect.stringContaining(`from ${registry.host} or registry.ollama.ai`),
    ]);
    await modelsStage.apply(context);
    await modelsStage.prove(context);
    expect(await names()).toEqual(['tiny:1b']);
    expect(registry.paths().at(-1)).toContain('/v2/models/tiny/blobs/');
    const options = { num_predict: 1 };
    const request = { model: 'tiny:1b', prompt: 'x', stream: false, options } as const;
    const answer = await machine.client.generate(request);
    expect(answer.done).toBe(true);
    await machine.client.delete({ model: 'tiny:1b' });
  });

  it('comes from the mirror of --mirror', async () => {
    const context = machine.context({});
    await pullByHand(context, readModelName('tiny:1b'), `http://${registry.host}`);
    expect(await names()).toEqual(['tiny:1b']);
    await machine.client.delete({ model: 'tiny:1b' });
  });

  it('rejects and removes a pulled model when its tag has moved', async () => {
    const context = machine.context({ models: [lockedModel('moved:1b', files)] });
    await modelsStage.apply(context);
    expect(context.warned[0]).toContain('digest mismatch of moved:1b from registry.ollama.ai');
    expect(await names()).toEqual([]);
    expect(readdirSync(machine.host.path(store, 'blobs'))).toEqual([]);
  });

  it('fails with a registry that serves blobs without a redirect, with the reason', async () => {
    const plain = await ModelRegistry.start({ redirects: false });
    plain.push('library/tiny:1b', files);
    const pulling = pullByHand(
      machine.context({}),
      readModelName('tiny:1b'),
      `http://${plain.host}`,
    );
    await expect(pulling).rejects.toMatchObject({
      code: 'MODEL_FAILED',
      message: expect.stringContaining('does not redirect blobs as Ollama requires'),
    });
    await plain.close();
  });

  it('causes a warning when the registry does not have it, and the server still starts', async () => {
    const context = machine.context({ models: [lockedModel('none:1b', files)] });
    await modelsStage.apply(context);
    await modelsStage.prove(context);
    expect(context.warned[0]).toMatch(/sudo landfall models pull none:1b$/);
  });
});
