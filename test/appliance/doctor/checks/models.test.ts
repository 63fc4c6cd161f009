import { beforeEach, describe, expect, it } from 'vitest';
import { modelsCheck } from '../../../../appliance/doctor/checks/models.ts';
import { status } from '../../../faulty-server/faults.ts';
import { FaultyServer } from '../../../faulty-server/faulty-server.ts';
import { bundledModel, serverWith, store } from '../../models/bundled-model.ts';
import { SmallEngine } from '../../models/small-engine.ts';

const tiny = bundledModel('tiny:1b');

let engine: SmallEngine;
beforeEach(async () => {
  engine = await SmallEngine.start();
});

/** @param bundled whether the model is in the release folder */
async function codes(bundled: boolean, mirror?: string) {
  const site = {
    ports: { engine: engine.port },
    ...(mirror ? { mirrors: { models: mirror } } : {}),
  };
  const { host, context } = serverWith([tiny], { site });
  engine.store = host.path(store);
  const releaseFolder = bundled ? context.releaseFolder : '/nonexistent';
  if (modelsCheck.needs !== 'site') return [];
  const findings = await modelsCheck.run({
    ...context,
    releaseFolder,
    // Ollama's registry must not be requested by a test.
    site: { ...context.site, route: { mode: 'http-proxy', url: dead, no_proxy: ['127.0.0.1'] } },
  });
  return findings.map(({ code, subject, fix }) => [code, subject, fix?.does.en]);
}

/** Port 9 of loopback: refuses connections. */
const dead = 'http://127.0.0.1:9';
const fix = 'download the missing models';

describe('the check of models', () => {
  it('finds a missing model that the bundle contains', async () => {
    expect(await codes(true)).toEqual([['MODEL_MISSING', 'tiny:1b', fix]]);
  });

  it('finds a missing model that a mirror may have', async () => {
    const server = await FaultyServer.start(status(404));
    expect(await codes(false, server.url('/').origin)).toEqual([['MODEL_MISSING', 'tiny:1b', fix]]);
    await server.close();
  });

  it('finds a missing model whose sources cannot be reached', async () => {
    expect(await codes(false, dead)).toEqual([['MODEL_PULL_TIMEOUT', 'tiny:1b', fix]]);
  });
});
