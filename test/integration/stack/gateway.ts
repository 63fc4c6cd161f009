import { describe, expect, it } from 'vitest';
import { hostNames } from '#contract/site/enabled.ts';
import { everything } from '../../appliance/stages/stack/stack-input.ts';
import type { RunningStack } from './running-stack.ts';
import { waiting } from './waiting.ts';

/** Public behaviour of the gateway. */
export function gateway(stack: () => RunningStack): void {
  describe('its gateway', () => {
    it.each(hostNames(everything))('redirects http://%s to https with 301', async (name) => {
      const { status, headers } = await stack().ask(`http://${name}/some/path?x=1`);
      expect([status, headers.location]).toEqual([301, `https://${name}/some/path?x=1`]);
    });

    it.each([
      'http://other.example.org/',
      'https://other.example.org/',
      'http://203.0.113.7/',
      'https://203.0.113.7/',
    ])('rejects %s with 403 (SPEC 7)', async (url) => {
      expect((await stack().ask(url)).status).toBe(403);
    });

    it('reports that it is healthy to requests without a name, and for proxy.local', async () => {
      for (const host of ['203.0.113.7', 'proxy.local']) {
        const { status, text } = await stack().ask(`http://${host}/.well-known/landfall/health`);
        expect([status, text]).toEqual([200, 'ok\n']);
      }
    });

    it('serves ACME challenges before it redirects', async () => {
      await stack().rig.putChallenge('token-1', 'answer-1');
      const { status, text } = await stack().ask(
        'http://chat.example.com/.well-known/acme-challenge/token-1',
      );
      expect([status, text]).toEqual([200, 'answer-1']);
    });

    it('does not send HSTS while its certificate is self-signed', async () => {
      const { headers } = await stack().ask('https://chat.example.com/');
      expect(headers['strict-transport-security']).toBeUndefined();
    });

    it('sends HSTS once the certificate is valid, after a reload without dropped connections', async () => {
      await stack().rig.render({ ...stack().rig.input, trustedCertificate: true });
      expect((await stack().rig.exec('gateway', 'kill', '-HUP', '1')).code).toBe(0);
      await expect
        .poll(async () => {
          const { headers } = await stack().ask('https://chat.example.com/');
          return headers['strict-transport-security'];
        }, waiting)
        .toBe('max-age=31536000');
    });

    it('serves pages as HTML, and as Markdown on request (SPEC 4, E7)', async () => {
      const page = 'https://docs.example.com/agents/relay';
      const get = async (url: string, accept: string) => {
        const { status, headers, text } = await stack().ask(url, { headers: { accept } });
        return [status, headers['content-type'], headers.vary, text.slice(0, 2)];
      };
      const markdown = [200, 'text/markdown; charset=utf-8', 'Accept', '# '];
      const html = [200, 'text/html; charset=utf-8', 'Accept', '<!'];
      expect(await get(`${page}.md`, 'text/markdown')).toEqual(markdown);
      expect(await get(page, 'text/markdown')).toEqual(markdown);
      expect(await get(page, 'text/markdown, text/html;q=0.8')).toEqual(markdown);
      expect(await get(page, 'text/html,application/xhtml+xml')).toEqual(html);
      expect(await get(page, '*/*')).toEqual(html);
      expect((await stack().ask('https://docs.example.com/llms.txt')).text).toContain(
        '/agents/relay.md',
      );
      expect((await stack().ask('https://docs.example.com/agents/none')).status).toBe(404);
    });
  });
}
