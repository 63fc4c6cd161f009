import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Handler } from '../serve.ts';
import { uiApp } from './app.ts';
import { readSettings } from './settings.ts';

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'landfall-ui-'));
});
afterEach(() => rmSync(data, { recursive: true }));

const safe = {
  WEBUI_SECRET_KEY: 'a-key-that-stays',
  WEBUI_ADMIN_EMAIL: 'ops@example.org',
  WEBUI_ADMIN_PASSWORD: 'the-password',
  ENABLE_SIGNUP: 'False',
};
const visitor = { email: 'eve@example.org', password: 'x', name: 'Eve' };

function start(env: Record<string, string>): Handler {
  const settings = readSettings({ ...env, DATA_DIR: data });
  return uiApp(settings);
}

async function post(app: Handler, path: string, body: object) {
  const url = `http://ui/api/v1/auths/${path}`;
  const response = await app(new Request(url, { method: 'POST', body: JSON.stringify(body) }));
  const answer = (await response.json()) as { role?: string; token?: string; detail?: string };
  return { status: response.status, cookie: response.headers.get('set-cookie'), ...answer };
}

/** The original's insecure defaults are kept, so that a missing setting fails a test. */
describe('the stand-in for the chat UI without settings', () => {
  it('makes the first user administrator', async () => {
    expect(await post(start({}), 'signup', visitor)).toMatchObject({ status: 200, role: 'admin' });
  });

  it('lets the second user sign up, pending approval', async () => {
    const app = start({});
    await post(app, 'signup', visitor);
    const next = { ...visitor, email: 'next@example.org' };
    expect(await post(app, 'signup', next)).toMatchObject({ status: 200, role: 'pending' });
  });

  it('rejects the right password after 15 sign-ins with this e-mail address', async () => {
    const app = start({});
    await post(app, 'signup', visitor);
    const wrong = { ...visitor, email: 'EVE@example.org', password: 'wrong' };
    for (let tried = 0; tried < 15; tried += 1) {
      expect(await post(app, 'signin', wrong)).toMatchObject({ status: 400 });
    }
    expect(await post(app, 'signin', visitor)).toMatchObject({ status: 429 });
    const other = { ...wrong, email: 'other@example.org' };
    expect(await post(app, 'signin', other)).toMatchObject({ status: 400 });
  });

  it('sends its cookie over HTTP too', async () => {
    expect((await post(start({}), 'signup', visitor)).cookie).not.toContain('Secure');
  });

  it('loses its sessions with its container', async () => {
    const { token } = await post(start({}), 'signup', visitor);
    const request = new Request('http://ui/api/v1/auths/', {
      headers: { authorization: `Bearer ${token}` },
    });
    expect((await start({})(request)).status).toBe(401);
  });
});

describe('the stand-in for the chat UI with the settings of the stack', () => {
  it('creates the administrator before the first request', async () => {
    const { email, password } = { email: 'ops@example.org', password: 'the-password' };
    expect(await post(start(safe), 'signin', { email, password })).toMatchObject({
      status: 200,
      role: 'admin',
    });
  });

  it('rejects sign-ups', async () => {
    expect((await post(start(safe), 'signup', visitor)).status).toBe(403);
  });

  it('creates no administrator when sign-up is closed and the settings name none', async () => {
    expect((await post(start({ ENABLE_SIGNUP: 'False' }), 'signup', visitor)).status).toBe(403);
  });

  it('keeps its administrator when the settings change, as the original', async () => {
    start(safe);
    const app = start({ ...safe, WEBUI_ADMIN_PASSWORD: 'another' });
    const email = 'ops@example.org';
    expect((await post(app, 'signin', { email, password: 'another' })).status).toBe(400);
    expect((await post(app, 'signin', { email, password: 'the-password' })).status).toBe(200);
  });

  it('keeps sessions over a restart with a persistent key', async () => {
    const login = { email: 'ops@example.org', password: 'the-password' };
    const { token } = await post(start(safe), 'signin', login);
    const headers = { authorization: `Bearer ${token}` };
    const response = await start(safe)(new Request('http://ui/api/v1/auths/', { headers }));
    expect(response.status).toBe(200);
  });

  it('serves its page on any path with status 200', async () => {
    const response = await start(safe)(new Request('http://ui/no/such/page'));
    expect([response.status, await response.text()]).toEqual([
      200,
      expect.stringContaining('<title>Open WebUI</title>'),
    ]);
  });
});
