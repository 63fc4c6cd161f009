import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { uiModelsFile } from '#contract/server-paths.ts';
import { sharedModelsStage } from '../../../appliance/stages/share-models.ts';
import type { Handler } from '../../stand-ins/serve.ts';
import { uiApp } from '../../stand-ins/ui/app.ts';
import { openDatabase } from '../../stand-ins/ui/database.ts';
import { readSettings } from '../../stand-ins/ui/settings.ts';
import { portOf } from '../shared/smoke/closing-servers.ts';
import { bundledModel, serverWith } from './models/bundled-model.ts';

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'landfall-ui-'));
});
afterEach(() => rmSync(data, { recursive: true }));

const password = 'the-password';
const tiny = bundledModel('tiny:1b');
const digest = tiny.model.manifest.slice('sha256:'.length);

/** Ollama with a chat model that thinks, and an embedding model. */
const ollama: Handler = async (request) => {
  if (new URL(request.url).pathname === '/api/tags') {
    const record = { size: 1, modified_at: '2026-01-01T00:00:00Z', digest };
    const names = ['tiny:1b', 'tiny-embedding:1b'];
    return Response.json({ models: names.map((name) => ({ ...record, name, model: name })) });
  }
  const { model } = (await request.json()) as { model: string };
  const capabilities = model === 'tiny:1b' ? ['completion', 'thinking'] : ['embedding'];
  return Response.json({ capabilities });
};

/** A server with that Ollama, and a chat UI whose administrator has this password. */
async function server({ kept = password, state = { volume: 'first' } } = {}) {
  const settings = readSettings({
    ...{ DATA_DIR: data, ENABLE_OPENAI_API: 'False' },
    ...{ WEBUI_ADMIN_EMAIL: 'ops@localhost', WEBUI_ADMIN_PASSWORD: password },
  });
  const [ui, engine] = [await portOf(uiApp(settings)), await portOf(ollama)];
  const created = 'docker volume inspect --format {{.CreatedAt}} landfall_ui-data';
  const { context, put } = serverWith(
    [tiny],
    { site: { ports: { ui, engine }, hosts: { docs: 'docs.example.com' } } },
    { [created]: () => `${state.volume}\n`, 'docker inspect': '10.0.0.2\n' },
  );
  put('etc/landfall/secrets/WEBUI_ADMIN_PASSWORD', `${kept}\n`);
  return context;
}

const entries = () =>
  openDatabase(data)
    .prepare('SELECT value FROM model ORDER BY id')
    .all()
    .map(({ value }) => JSON.parse(String(value)));

describe('the models stage and the accounts of the chat UI', () => {
  it('offers chat models to every account, and hides embedding models', async () => {
    const context = await server();
    expect(await sharedModelsStage.check(context)).toEqual([
      'offer tiny:1b to the accounts of the chat UI',
    ]);
    await sharedModelsStage.apply(context);
    expect(entries()).toMatchObject([
      { id: 'tiny-embedding:1b', meta: { hidden: true }, access_grants: [] },
      {
        ...{ id: 'tiny:1b', params: { max_tokens: 8192 }, access_grants: [{ principal_id: '*' }] },
        meta: { capabilities: { vision: false } },
      },
    ]);
    expect(await sharedModelsStage.check(context)).toEqual([]);
  });

  it('offers the models again after the volume of the UI was created again', async () => {
    const state = { volume: 'first' };
    const context = await server({ state });
    await sharedModelsStage.apply(context);
    state.volume = 'second';
    expect(await sharedModelsStage.check(context)).toEqual([
      'offer tiny:1b to the accounts of the chat UI',
    ]);
  });

  it('only warns if the administrator changed the password of the UI', async () => {
    const context = await server({ kept: 'another-password' });
    await sharedModelsStage.apply(context);
    expect(context.warnings).toMatchObject([{ kind: 'model-not-shared', subject: 'ui' }]);
    expect(existsSync(context.host.path(uiModelsFile))).toBe(false);
  });
});
