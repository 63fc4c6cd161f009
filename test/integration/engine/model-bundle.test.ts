import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { modelsStage } from '../../../appliance/stages/models/stage.ts';
import { ModelBuildRig } from '../../builder/commands/model-build-rig.ts';
import { tinyGguf } from '../../stand-ins/engine/gguf/tiny-gguf.ts';
import { tinyModel } from '../../stand-ins/engine/models/put-tiny-model.ts';
import { needs } from '../needs.ts';
import { EngineMachine } from './engine-machine.ts';

const real = needs('llama');

/** End to end: the builder makes the bundle, the server unpacks it and Ollama runs the model. */
real.describe('models from a full bundle of the builder', () => {
  let rig: ModelBuildRig;
  let machine: EngineMachine;
  let context: ReturnType<EngineMachine['context']>;

  beforeAll(async () => {
    rig = await ModelBuildRig.start(tinyGguf(21));
    rig.models.push('library/tiny:1b', tinyModel(22));
    await rig.writeAppliance(
      'appliance.yaml',
      'tiny:1b',
      '{ name: "me/mine:1b", gguf: mine.gguf, template: "{{ .Prompt }}" }',
    );
    await rig.build('dist', ['--full']);
    // No network access from here on.
    await rig.models.close();
    machine = await EngineMachine.start(real.llama);
    const release = await rig.verify('dist', async ({ path }, content) => {
      const target = machine.host.path('release', path);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, content);
    });
    const models = release.models.map(({ name }) => name);
    const { files } = release;
    context = machine.context({ models: release.models, files }, { models });
  });
  afterAll(async () => {
    await machine?.close();
    await rig?.close();
  });

  it('writes the models of a full bundle to the store, listed with the digests of the release', async () => {
    await modelsStage.apply(context);
    await modelsStage.prove(context);
    const { models } = await machine.client.list();
    const listed = models.map(({ name, digest, size }) => [name, `sha256:${digest}`, size]);
    const released = context.release.models.map(({ name, manifest, size }) => [
      name,
      manifest,
      size,
    ]);
    expect(listed.sort()).toEqual(released.sort());
  });

  it.each(['tiny:1b', 'me/mine:1b'])('generate: %s', async (model) => {
    const options = { num_predict: 6, seed: 1, temperature: 0 };
    const answer = await machine.client.generate({ model, prompt: 'Why?', options, stream: false });
    expect([answer.done, (answer.response ?? '').length > 0]).toEqual([true, true]);
  });

  it('limit the length of a response for models from a GGUF file', async () => {
    const request = { model: 'me/mine:1b', prompt: 'Why?', stream: false } as const;
    expect((await machine.client.generate(request)).eval_count).toBe(4096);
  });
});
