import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { modelsOf } from '../../../appliance/report/models.ts';
import { contextFor, modelOf } from '../context.ts';
import { blobOfHost, bundledModel, manifestOfHost, serverWith } from '../models/bundled-model.ts';
import { TemporaryHost } from '../temporary-host.ts';

const tiny = bundledModel('tiny:1b');

/** A server whose engine has the model in its store already. */
function serverThatHas() {
  const { host, context, put } = serverWith([tiny]);
  put(manifestOfHost('tiny:1b'), tiny.manifest);
  for (const [digest, bytes] of tiny.blobs) put(blobOfHost(digest), bytes);
  return { host, context, put };
}

const { name, size } = tiny.model;

describe('the models of a report', () => {
  it('are here where the store of the engine has them', async () => {
    expect(await modelsOf(serverThatHas().context)).toEqual([{ name, size, present: true }]);
  });

  it('are missing where a blob is missing, or cut off', async () => {
    const [digest = ''] = tiny.blobs.keys();
    const gone = serverThatHas();
    rmSync(gone.host.path(blobOfHost(digest)));
    expect(await modelsOf(gone.context)).toEqual([{ name, size, present: false }]);
    const cut = serverThatHas();
    cut.put(blobOfHost(digest), 'x');
    expect(await modelsOf(cut.context)).toEqual([{ name, size, present: false }]);
  });

  it('are missing where it is another model of the name', async () => {
    const { context } = serverThatHas();
    const models = [{ ...tiny.model, manifest: `sha256:${'c'.repeat(64)}` }];
    const release = { ...context.release, models };
    expect(await modelsOf({ ...context, release })).toMatchObject([{ present: false }]);
  });

  it('are any of the name where the release left it open', async () => {
    const { context } = serverThatHas();
    const release = { ...context.release, models: [modelOf('tiny:1b')] };
    expect(await modelsOf({ ...context, release })).toMatchObject([{ present: true }]);
  });

  it('are missing before there is an engine', async () => {
    const host = TemporaryHost.with({}, { 'docker volume inspect': 1 });
    const context = contextFor(host, { release: { models: [modelOf('tiny:1b', 7)] } });
    expect(await modelsOf(context)).toEqual([{ name: 'tiny:1b', size: 7, present: false }]);
  });
});
