import { beforeAll, expect, it } from 'vitest';
import type { SmokeResult } from '#smoke/smoke-test.ts';
import { smokeTable } from '#smoke/table.ts';
import { testsOfOtherServers } from '../../integration/stack/other-servers.ts';
import { landfall, runInTerminal } from '../../pty/terminal.ts';
import { keep } from './results.ts';
import type { WholeStack } from './whole-stack.ts';

/** Checks that only the server itself can run; all others must also pass from outside. */
const insideOnly = 'runs on the server only';

/** Tests that the project's smoke tests pass, from a client and on the server. */
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
    const skipped = results.filter(({ outcome }) => outcome === 'skipped');
    for (const { name, detail } of skipped) {
      if (!testsOfOtherServers.includes(name)) expect(detail, name).toBe(insideOnly);
    }
  });

  it('passes in a terminal, and ends', async () => {
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

  it('passes on the server, and skips only the tests of sites with several servers', () => {
    const others = results.filter(({ outcome }) => outcome !== 'passed');
    expect(others.map(({ name }) => name)).toEqual(testsOfOtherServers);
    expect(others.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
  });
}
