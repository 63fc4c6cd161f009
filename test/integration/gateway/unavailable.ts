import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everything } from '../../appliance/stages/stack/stack-input.ts';
import { waiting } from '../stack/waiting.ts';
import type { GatewayRig } from './gateway-rig.ts';

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const hosts = [everything.hosts.ui, everything.hosts.chat, everything.hosts.lobe];

/** Responses for components that are not running. */
export function unavailable(rig: () => GatewayRig): void {
  describe('a component that is not running, without a DNS server that answers', () => {
    beforeAll(() => rig().stopUpstream());
    afterAll(() => rig().restartUpstream());

    it('serves a page for a stopped component before visitors give up', async () => {
      const started = performance.now();
      expect((await rig().client.ask(`https://${hosts[0]}/`)).status).toBe(502);
      // nginx waits for 30 seconds by default.
      expect(performance.now() - started).toBeLessThan(20_000);
    });

    it.each(hosts)('serves a page that refreshes to browsers: %s', async (host) => {
      const url = `https://${host}/`;
      const { status, headers, text } = await rig().client.ask(url, { headers: browser });
      expect(status).toBe(502);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'retry-after': '5',
        vary: 'Accept',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
      });
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
      expect(text).toContain('<meta http-equiv="refresh" content="5">');
      expect(text).toContain('服务暂时不可用');
    });

    it.each([{ accept: 'application/json' }, { accept: '*/*' }, {}])(
      'returns a JSON error for a stopped component to programs: %o',
      async (headers) => {
        const url = `https://${everything.hosts.relay}/openai/v1/chat/completions`;
        const asked = { method: 'POST', headers, body: '{"model":"a"}' };
        const answer = await rig().client.ask(url, asked);
        expect(answer.status).toBe(502);
        expect(answer.headers).toMatchObject({
          'content-type': expect.stringMatching(/^application\/json/),
          'cache-control': 'no-store',
          'retry-after': '5',
        });
        expect(JSON.parse(answer.text)).toMatchObject({
          error: { code: 'service_unavailable' },
          // Open WebUI shows it.
          detail: expect.stringContaining('not available'),
        });
      },
    );

    it('logs a request to a stopped component with its path', async () => {
      const url = `https://${everything.hosts.ui}/some/path`;
      await rig().client.ask(url, { method: 'DELETE', headers: browser });
      const line = '"DELETE /some/path HTTP/1.1" 502 ';
      await expect.poll(async () => (await rig().banLog()).at(-1), waiting).toContain(line);
    });
  });

  // The relay explains the errors of providers with these statuses.
  it.each([502, 503, 504])('forwards the status %i of a component unchanged', async (status) => {
    const url = `https://${everything.hosts.relay}/v1/models?status=${status}`;
    const answer = await rig().client.ask(url, { headers: browser });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text)).toMatchObject({ url: `/v1/models?status=${status}` });
    expect(answer.headers).not.toHaveProperty('retry-after');
  });
}
