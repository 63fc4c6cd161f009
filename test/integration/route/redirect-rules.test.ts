import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { debianSuites } from '../../host/distributions.ts';
import { redirectRulesOf } from '../../simulator/redirect-rules.ts';
import { anySite } from '../../simulator/site-arbitrary.ts';
import { Namespace } from '../firewall/namespaces.ts';
import { needs } from '../needs.ts';

for (const suite of debianSuites()) {
  const given = needs(suite);

  given.describe(`the rules of redirected users, nft of ${suite}`, () => {
    let namespace: Namespace;
    beforeAll(async () => {
      namespace = await Namespace.open();
    });
    afterAll(() => namespace.close());

    it('accepts the rules of every site that the schema accepts', async () => {
      const anyExempt = anySite.filter(
        ({ route }) => route.mode !== 'direct' && route.no_proxy.length > 0,
      );
      const run = fc.asyncProperty(anyExempt, async (site) => {
        const args = ['nft', '--check', '--file', '-'];
        const { all } = await namespace.runIn(given[suite], args, redirectRulesOf(site));
        expect(all).toBe('');
      });
      await fc.assert(run, { numRuns: 100 });
    });
  });
}
