import { describe, expect, it } from 'vitest';
import { runSmoke } from '../../../appliance/shared/smoke/run-smoke.ts';
import type { SmokeResult } from '../../../appliance/shared/smoke/smoke-test.ts';
import { testsOfOtherServers } from './other-servers.ts';
import type { RunningStack } from './running-stack.ts';
import { insideOf, outsideOf } from './smoke-target.ts';
import { tinyModels } from './tiny-models.ts';

/** The smoke tests of the product, on the stack of the product. */
export function smoke(stack: () => RunningStack): void {
  describe('its smoke tests', () => {
    const outside = () => outsideOf(stack());
    const inside = () => insideOf(stack(), tinyModels.models);
    const named = (results: readonly SmokeResult[], outcome: SmokeResult['outcome']) =>
      results.filter((result) => result.outcome === outcome).map(({ name }) => name);

    it('all pass on the server', async () => {
      const results = await runSmoke(await inside());
      expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
      expect(named(results, 'skipped')).toEqual(testsOfOtherServers);
    });

    it('pass remotely by name, without checks that only the server can run', async () => {
      const results = await runSmoke(await outside());
      expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
      expect(named(results, 'passed')).toEqual(
        expect.arrayContaining([
          'ui-page',
          'ui-web-socket',
          'chat-page',
          'chat-code',
          'chat-leaks-cut',
          'chat-third-parties',
          'chat-no-upgrade',
          'lobe-page',
          'lobe-code',
          'lobe-leaks-cut',
          'lobe-no-upgrade',
          'relay-wrong-key',
          'certificate',
          'docs-html',
          'docs-markdown',
          'docs-list',
        ]),
      );
      expect(named(results, 'skipped')).toContain('relay-chat');
    });

    it('fail for a missing component, and name it', async () => {
      const site = {
        ...(await outside()).site,
        tls: { mode: 'off' as const, accept_terms: false },
      };
      const results = await runSmoke({ ...(await outside()), site });
      expect(named(results, 'failed')).toEqual(expect.arrayContaining(['ui-page', 'docs-html']));
      for (const { lookAt } of results.filter(({ outcome }) => outcome === 'failed')) {
        expect(lookAt).toMatch(/^sudo /);
      }
    });
  });
}
