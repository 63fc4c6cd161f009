import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { engineOpenings } from '#contract/site/network/openings.ts';
import { siteSchema } from '#contract/site/site.ts';
import { renderTable } from '../../../appliance/stages/firewall/table.ts';
import { debianSuites } from '../../host/distributions.ts';
import { needs } from '../needs.ts';
import { Namespace } from './namespaces.ts';

const port = fc.integer({ min: 1, max: 65535 });
const opening = fc
  .tuple(port, port, fc.constantFrom('tcp' as const, 'udp' as const))
  .map(([a, b, protocol]) => ({ first: Math.min(a, b), last: Math.max(a, b), protocol }));
const [ipv4, ipv6] = [fc.ipV4(), fc.ipV6().filter((address) => !address.includes('.'))];
const destination = fc.record({ address: fc.oneof(ipv4, ipv6), port });
const range = (address: fc.Arbitrary<string>, bits: number) =>
  fc.tuple(address, fc.integer({ min: 0, max: bits })).map((parts) => parts.join('/'));
/** What the schema of an engine node accepts, in the forms that nft and UFW shorten. */
const { clients: clientsSchema } = siteSchema.shape.engine_node.unwrap().shape;
const client = fc
  .oneof(ipv4, ipv6, range(ipv4, 32), range(ipv6, 128))
  .map((text) => (text.startsWith('f') ? text.toUpperCase() : text))
  .filter((text) => clientsSchema.safeParse([text]).success);
const ofNode = fc
  .uniqueArray(client, { maxLength: 16 })
  .map((clients) => engineOpenings({ engine_node: { client_ca: '', clients, slots: 1 } }));
const anyFacts = fc.record({
  ssh: fc.uniqueArray(port, { minLength: 1, maxLength: 4 }),
  web: fc.uniqueArray(port, { minLength: 1, maxLength: 2 }),
  openings: fc
    .tuple(fc.array(opening, { maxLength: 60 }), ofNode)
    .map(([all, some]) => [...all, ...some]),
  destinations: fc.array(destination, { maxLength: 8 }),
  unlimited: fc.array(fc.oneof(ipv4, ipv6, range(ipv4, 32), range(ipv6, 128)), { maxLength: 8 }),
});

for (const suite of debianSuites()) {
  const given = needs(suite);

  given.describe(`with any openings, nft of ${suite}`, () => {
    let namespace: Namespace;
    beforeAll(async () => {
      namespace = await Namespace.open();
    });
    afterAll(() => namespace.close());

    it('loads the table over one with other openings, and lists every rule of it', async () => {
      const run = fc.asyncProperty(anyFacts, async (facts) => {
        const text = renderTable(facts);
        const loaded = await namespace.runIn(given[suite], ['nft', '--file', '-'], text);
        expect(loaded.all).toBe('');
        const shown = await namespace.runIn(given[suite], [
          'nft',
          'list',
          'table',
          'inet',
          'landfall',
        ]);
        const accepted =
          shown.all.match(/^\t\t(?:ip6? saddr \S+ )?(?:tcp|udp) dport [0-9-]+ accept$/gm) ?? [];
        expect(accepted).toHaveLength(facts.ssh.length + facts.openings.length);
        expect(shown.all).toContain(/comment "landfall [0-9a-f]{16}"/.exec(text)?.[0]);
      });
      await fc.assert(run, { numRuns: 40 });
    });
  });
}
