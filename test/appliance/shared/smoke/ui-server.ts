import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LockedModel, SmokeTarget } from '../../../../appliance/shared/smoke/target.ts';
import { afterThisTest } from '../../../setup/cleanup.ts';
import type { Handler } from '../../../stand-ins/serve.ts';
import { uiApp } from '../../../stand-ins/ui/app.ts';
import { readSettings } from '../../../stand-ins/ui/settings.ts';
import { portOf } from './closing-servers.ts';
import { insideTarget } from './inside-target.ts';

const administrator = { email: 'ops@localhost', password: 'the-password' };

/** A server with a chat UI and an Ollama. The UI is at its own port, because the site has a host name. */
export async function uiServer(server: {
  /** Ollama's endpoints, besides the list of models. */
  readonly ollama: Handler;
  /** The model that Ollama lists. */
  readonly installed: LockedModel;
  /** The models of the release. */
  readonly models: readonly LockedModel[];
  /** Variables of the UI. */
  readonly env: Readonly<Record<string, string>>;
  readonly site?: Readonly<Record<string, unknown>>;
  readonly secrets?: Readonly<Record<string, string>>;
}): Promise<SmokeTarget> {
  const { ollama, installed, models, env, site = {}, secrets = {} } = server;
  const { name } = installed;
  const record = { size: 1, modified_at: '2026-01-01T00:00:00Z', digest: 'a'.repeat(64) };
  const engine = await portOf((request) =>
    new URL(request.url).pathname === '/api/tags'
      ? Response.json({ models: [{ ...record, name, model: name }] })
      : ollama(request),
  );
  const data = mkdtempSync(join(tmpdir(), 'landfall-ui-'));
  afterThisTest(() => rmSync(data, { recursive: true }));
  const origin = `http://127.0.0.1:${engine}`;
  const settings = readSettings({
    ...{ OLLAMA_BASE_URL: origin, DATA_DIR: data, ENABLE_OPENAI_API: 'False' },
    ...{ WEBUI_ADMIN_EMAIL: administrator.email, WEBUI_ADMIN_PASSWORD: administrator.password },
    ...env,
  });
  const ui = await portOf(uiApp(settings));
  return insideTarget(
    { ports: { ui }, hosts: { docs: 'docs.example.com' }, ...site },
    { engine: origin, models, secrets, administrator },
  );
}
