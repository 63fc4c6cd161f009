import { beforeAll, expect, it } from 'vitest';
import type { SmokeResult } from '#smoke/smoke-test.ts';
import { smokeTable } from '#smoke/table.ts';
import { landfall, runInTerminal } from '../../pty/terminal.ts';
import { keep } from './results.ts';
import type { WholeStack } from './whole-stack.ts';

/** What only the server itself can ask; everything else has to hold from outside too. */
const insideOnly = 'runs on the server only';

/** Tests that the project's own smoke tests pass, from a laptop and on the server. */
export function itPassesSmokeTests(stack: () => WholeStack): void {
  it.each(['v4', 'v6'] as const)('passes from outside over IP%s', async (family) => {
    const { premises, pebble } = stack();
    const root = await keep('pebble-root.pem', await pebble.root());
    const args = ['smoke', '--json', '--address', premises.host.addresses[family]];
    const text = await premises.bundle.landfall(args, { NODE_EXTRA_CA_CERTS: root });
    const results: SmokeResult[] = JSON.parse(text);
    await keep(`smoke-outside-${family}.txt`, `${smokeTable(results)}\n`);
    expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    expect(results.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(5);
    for (const { name, outcome, detail } of results) {
      if (outcome === 'skipped') expect(detail, name).toBe(insideOnly);
    }
  });

  it('passes from a terminal, and ends there', async () => {
    const { premises, pebble } = stack();
    const root = await keep('pebble-root.pem', await pebble.root());
    const words = [...landfall, 'smoke', '--address', premises.host.addresses.v4];
    const { status, text } = await runInTerminal(words, {
      cwd: premises.bundle.path('.'),
      env: { NODE_EXTRA_CA_CERTS: root },
    });
    expect(status, text).toBe(0);
    expect(text).toContain(' passed, 0 failed, ');
  });

  describeOnServer(stack);
}

function describeOnServer(stack: () => WholeStack): void {
  let results: readonly SmokeResult[];
  beforeAll(async () => {
    const ran = await stack().premises.host.run('landfall smoke --json --junit /tmp/smoke');
    if (ran.stdout === '') throw new Error(ran.stderr);
    results = JSON.parse(ran.stdout);
    await keep('smoke-server.txt', `${smokeTable(results)}\n`);
    await keep('smoke-server.junit.xml', await stack().premises.host.output('cat /tmp/smoke'));
  });

  it('passes on the server, without leaving one out', () => {
    expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
  });
}
