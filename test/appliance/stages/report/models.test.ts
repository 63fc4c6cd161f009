import { existsSync, readFileSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { reportFile } from '#contract/server-paths.ts';
import { modelsOf } from '../../../../appliance/stages/report/models.ts';
import { storedReport } from '../../../../appliance/stages/report/stored-report.ts';
import { updateModels } from '../../../../appliance/stages/report/update-models.ts';
import { contextFor, modelOf } from '../../context.ts';
import { warningOf } from '../../server/stage/warning-of.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { blobOfHost, bundledModel, manifestOfHost, serverWith } from '../models/bundled-model.ts';
import { goodReport } from './fixture.ts';

const tiny = bundledModel('tiny:1b');

/** A server with the model in Ollama's store. */
function serverThatHas() {
  // Nothing listens on port 1, so only the store is checked.
  const { host, context, put } = serverWith([tiny], { site: { ports: { engine: 1 } } });
  put(manifestOfHost('tiny:1b'), tiny.manifest);
  for (const [digest, bytes] of tiny.blobs) put(blobOfHost(digest), bytes);
  return { host, context, put };
}

const { name, size } = tiny.model;

describe('the models of a report', () => {
  it('reports models as present if they are in the store of Ollama', async () => {
    expect(await modelsOf(serverThatHas().context)).toEqual([{ name, size, present: true }]);
  });

  it('reports models as missing if a blob is missing or truncated', async () => {
    const [digest = ''] = tiny.blobs.keys();
    const gone = serverThatHas();
    rmSync(gone.host.path(blobOfHost(digest)));
    expect(await modelsOf(gone.context)).toEqual([{ name, size, present: false }]);
    const cut = serverThatHas();
    cut.put(blobOfHost(digest), 'x');
    expect(await modelsOf(cut.context)).toEqual([{ name, size, present: false }]);
  });

  it('reports models as missing if the digest differs', async () => {
    const { context } = serverThatHas();
    const models = [{ ...tiny.model, manifest: `sha256:${'c'.repeat(64)}` }];
    const release = { ...context.release, models };
    expect(await modelsOf({ ...context, release })).toMatchObject([{ present: false }]);
  });

  it('accept any digest if the release does not lock one', async () => {
    const { context } = serverThatHas();
    const release = { ...context.release, models: [modelOf('tiny:1b')] };
    expect(await modelsOf({ ...context, release })).toMatchObject([{ present: true }]);
  });

  it('reports models as missing before Ollama is installed', async () => {
    const host = TemporaryHost.with({}, { 'docker volume inspect': 1 });
    const context = contextFor(host, { release: { models: [modelOf('tiny:1b', 7)] } });
    expect(await modelsOf(context)).toEqual([{ name: 'tiny:1b', size: 7, present: false }]);
  });
});

describe('a report after a model was pulled manually', () => {
  const missing = { kind: 'model-missing', subject: name } as const;
  const before = {
    ...goodReport,
    models: [{ name, size, present: false }],
    warnings: [
      warningOf(`${name} is not installed yet: the line was slow.`, missing),
      warningOf('no swap could be made'),
    ],
  };

  it('shows the model and drops the warning', async () => {
    const { host, context, put } = serverThatHas();
    put(reportFile.json, JSON.stringify(before));
    await updateModels(context);
    expect(await storedReport.read(host)).toEqual({
      ...before,
      models: [{ name, size, present: true }],
      warnings: [warningOf('no swap could be made')],
    });
    expect(readFileSync(host.path(reportFile.text), 'utf8')).not.toContain('missing');
  });

  // This depended on the first words of the text before.
  it('drops warnings by kind and subject, regardless of the text', async () => {
    const { host, context, put } = serverThatHas();
    const other = { kind: 'model-missing', subject: 'other:1b' } as const;
    const kept = [
      warningOf(`${name} is not installed yet: of a smoke test`, { kind: 'smoke', subject: name }),
      warningOf('other:1b cannot be pulled', other),
    ];
    const warnings = [warningOf('it cannot be pulled', missing), ...kept];
    put(reportFile.json, JSON.stringify({ ...before, warnings }));
    await updateModels(context);
    expect((await storedReport.read(host))?.warnings).toEqual(kept);
  });

  it('shows a removed model as missing', async () => {
    const { host, context, put } = serverThatHas();
    put(reportFile.json, JSON.stringify({ ...before, models: [{ name, size, present: true }] }));
    rmSync(host.path(manifestOfHost('tiny:1b')));
    await updateModels(context);
    expect((await storedReport.read(host))?.models).toEqual([{ name, size, present: false }]);
  });

  it('creates no report after a manual pull if the report is missing', async () => {
    const { host, context } = serverThatHas();
    await updateModels(context);
    expect(existsSync(host.path(reportFile.json))).toBe(false);
  });
});
