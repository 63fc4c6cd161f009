import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { relayLink } from '../../../appliance/stages/firewall/public.ts';
import type { RunningStack } from './running-stack.ts';

/** Reachability between components. */
export function networks(stack: () => RunningStack): void {
  describe('its networks', () => {
    const reach = async (from: 'chat' | 'ui' | 'lobe', url: string) => {
      const script = `fetch('${url}', { signal: AbortSignal.timeout(4000) }).then((r) => console.log(r.status), (e) => console.log(e.cause?.code ?? e.name))`;
      return (await stack().rig.exec(from, 'node', '-e', script)).output.trim();
    };

    it('let the UI reach Ollama', async () => {
      expect(await reach('ui', 'http://engine:11434/api/version')).toBe('200');
    });

    it.each(['chat', 'lobe', 'relay', 'gateway'] as const)(
      'separate Ollama and %s, except for the relay with local models',
      async (name) => {
        const engine = await stack().rig.networksOf('engine');
        const shared = (await stack().rig.networksOf(name)).filter((each) => engine.includes(each));
        expect(shared.sort()).toEqual(
          name === 'relay' ? ['landfall_models', 'landfall_outside'] : [],
        );
      },
    );

    it('let the relay reach Ollama, whose API it serves', async () => {
      const relay = await stack().rig.address('relay');
      const headers = { authorization: `Bearer ${stack().secrets.RELAY_KEY_PHONE}` };
      const ask = (path: string) => fetch(`http://${relay}:8080${path}`, { headers });
      expect(await (await ask('/local/api/version')).json()).toEqual({
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      });
      const { data } = (await (await ask('/local/v1/models')).json()) as { data: unknown[] };
      expect(data.length).toBeGreaterThan(0);
      const all = (await (await ask('/v1/models')).json()) as { data: Array<{ owned_by: string }> };
      const owners = new Set(all.data.map(({ owned_by }) => owned_by));
      expect([...owners]).toEqual(['openai', 'local']);
    });

    it('give the relay an egress of its own for machines of the administrator', async () => {
      const { stdout } = await execa('nsenter', [
        `--net=/proc/${await stack().rig.processOf('relay')}/ns/net`,
        ...['ip', '-json', 'route', 'show', 'default'],
      ]);
      const [route] = JSON.parse(stdout);
      const { Gateway } = await stack().rig.network('relay', 'egress');
      expect(route.gateway).toBe(Gateway);
      const { stdout: link } = await execa('ip', ['-json', 'link', 'show', relayLink]);
      expect(JSON.parse(link)).toHaveLength(1);
    });

    it('hide Ollama from the front-ends, whose pages can be abused to send requests', async () => {
      expect(await reach('chat', 'http://engine:11434/api/version')).not.toMatch(/^\d+$/);
    });

    it('let the front-ends reach the relay', async () => {
      expect(await reach('chat', 'http://relay:8080/v1/models')).toBe('401');
    });

    it('give gateway, UI and front-ends no egress', async () => {
      for (const name of ['gateway', 'ui', 'chat', 'lobe'] as const) {
        expect(await stack().rig.networksOf(name)).not.toContain('landfall_outside');
      }
    });
  });
}
