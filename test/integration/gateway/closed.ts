import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { passHeader } from '#contract/site/endpoints.ts';
import { everything } from '../../appliance/stages/stack/stack-input.ts';
import type { GatewayRig } from './gateway-rig.ts';

const pass = '0123456789abcdef0123456789abcdef';
const url = `https://${everything.hosts.ui}/`;
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

/** A server that an update has closed. */
export function closed(rig: () => GatewayRig): void {
  describe('the gateway while an update has closed the server', () => {
    beforeAll(() => rig().serve(everything, { pass }));
    afterAll(() => rig().serve(everything));

    it('shows a page in both languages that refreshes', async () => {
      const { status, headers, text } = await rig().client.ask(url, { headers: browser });
      expect(status).toBe(503);
      expect(headers).toMatchObject({ 'retry-after': '30', 'cache-control': 'no-store' });
      expect(text).toContain('<meta http-equiv="refresh" content="10">');
      expect(text).toMatch(/This server is being updated[\s\S]*服务器正在更新/);
    });

    it('returns JSON in both languages to programs, also for an upgrade', async () => {
      for (const headers of [{}, { connection: 'upgrade', upgrade: 'websocket' }]) {
        const { status, text } = await rig().client.ask(`${url}api/v1/chats/`, { headers });
        expect(status).toBe(503);
        expect(JSON.parse(text)).toMatchObject({
          error: { code: 'server_updating' },
          detail: expect.stringMatching(/being updated.*正在更新/),
        });
      }
    });

    it('serves requests with the pass, and does not forward it', async () => {
      const headers = { [passHeader]: pass };
      const seen = await rig().seen(`${url}any`, { headers });
      expect(seen.url).toBe('/any');
      expect(JSON.stringify(seen.headers)).not.toContain(pass);
    });

    it.each(['', `${pass}0`, '/.well-known/acme-challenge/a'])(
      'refuses another pass: %j',
      async (other) => {
        const asked = { headers: { [passHeader]: other } };
        expect((await rig().client.ask(url, asked)).status).toBe(503);
      },
    );

    it.each([
      'https://chat.example.com/.well-known/landfall/health',
      'https://chat.example.com/.well-known/../api',
      'https://chat.example.com/x/.well-known/acme-challenge/a',
      'https://chat.example.com//.well-known/acme-challenge/../../api',
    ])('lets no path through to the chat: %s', async (path) => {
      expect((await rig().client.ask(path)).status).toBe(503);
    });

    it('keeps health, ACME challenges and the other hosts', async () => {
      const health = 'http://127.0.0.1/.well-known/landfall/health';
      expect((await rig().client.ask(health)).text).toBe('ok\n');
      const challenge = `http://${everything.hosts.ui}/.well-known/acme-challenge/none`;
      expect((await rig().client.ask(challenge)).status).toBe(404);
      expect((await rig().seen(`https://${everything.hosts.relay}/v1/models`)).url).toBe(
        '/v1/models',
      );
    });
  });

  it('serves the chat again after the update', async () => {
    expect((await rig().seen(url)).url).toBe('/');
  });
}
