import { describe, expect, it } from 'vitest';
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
      'separate Ollama and %s, except in the egress network',
      async (name) => {
        const engine = await stack().rig.networksOf('engine');
        const shared = (await stack().rig.networksOf(name)).filter((each) => engine.includes(each));
        expect(shared).toEqual(name === 'relay' ? ['landfall_outside'] : []);
      },
    );

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
