import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatOpening } from '#contract/site/opening.ts';
import { closedBy, openedByTable } from '../../../appliance/firewall/opened-before.ts';
import { renderTable } from '../../../appliance/firewall/render-table.ts';
import { TemporaryHost } from '../temporary-host.ts';
import { factsOf } from './facts-of.ts';

const port = fc.integer({ min: 1, max: 65535 });
const opening = fc
  .tuple(port, port, fc.constantFrom('tcp' as const, 'udp' as const))
  .map(([a, b, protocol]) => ({ first: Math.min(a, b), last: Math.max(a, b), protocol }));
const destination = { address: '10.0.0.2', port: 7890 };

describe('the openings of the previous table', () => {
  it('are read from its rules, ignoring all others', () => {
    fc.assert(
      fc.property(fc.array(port, { maxLength: 3 }), fc.array(opening), (ssh, openings) => {
        const table = renderTable({ ssh, openings, destinations: [destination], unlimited: [] });
        expect(openedByTable(table).map(formatOpening)).toEqual([
          ...ssh.map((each) => `${each}/tcp`),
          ...openings.map(formatOpening),
        ]);
      }),
    );
  });

  it.each([
    ['none without a previous table', undefined, []],
    ['none if both open the same ports', renderTable(factsOf()), []],
    [
      'an opening that was removed',
      renderTable(factsOf(['80/tcp', '443/tcp', '5-7/udp'])),
      ['5-7/udp'],
    ],
    [
      'a port that sshd no longer uses',
      renderTable(factsOf(undefined, { ssh: [22, 2222] })),
      ['2222/tcp'],
    ],
    [
      'a range that became one port',
      renderTable(factsOf(['80/tcp', '443-444/tcp'])),
      ['443-444/tcp'],
    ],
  ])('are closed by the next table: %s', async (_what, table, closed) => {
    const host = TemporaryHost.with(table ? { 'etc/landfall/firewall.nft': table } : {});
    expect((await closedBy(host, factsOf())).map(formatOpening)).toEqual(closed);
  });
});
