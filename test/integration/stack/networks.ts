import { describe, expect, it } from 'vitest';
import type { RunningStack } from './running-stack.ts';

/** Who reaches whom. */
export function networks(stack: () => RunningStack): void {
  describe('its networks', () => {
    const reach = async (from: 'chat' | 'ui' | 'lobe', url: string) => {
      const script = `fetch('${url}', { signal: AbortSignal.timeout(4000) }).then((r) => console.log(r.status), (e) => console.log(e.cause?.code ?? e.name))`;
      return (await stack().rig.exec(from, 'node', '-e', script)).output.trim();
    };

    it('let the UI use the engine', async () => {
      expect(await reach('ui', 'http://engine:11434/api/version')).toBe('200');
    });

    it.each(['chat', 'lobe', 'relay', 'gateway'] as const)(
      'have no network in common for the engine and %s, save the way out',
      async (name) => {
        const engine = await stack().rig.networksOf('engine');
        const shared = (await stack().rig.networksOf(name)).filter((each) => engine.includes(each));
        expect(shared).toEqual(name === 'relay' ? ['landfall_outside'] : []);
      },
    );

    it('let no front-end find the engine, whose pages may be abused to ask it', async () => {
      expect(await reach('chat', 'http://engine:11434/api/version')).not.toMatch(/^\d+$/);
    });

    it('let the front-ends use the relay', async () => {
      expect(await reach('chat', 'http://relay:8080/v1/models')).toBe('401');
    });

    it('have the gateway, the UI and the front-ends in none that leads out', async () => {
      for (const name of ['gateway', 'ui', 'chat', 'lobe'] as const) {
        expect(await stack().rig.networksOf(name)).not.toContain('landfall_outside');
      }
    });
  });
}
