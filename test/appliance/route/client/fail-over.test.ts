import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { applyClient } from '../../../../appliance/route/client/client.ts';
import { failOver } from '../../../../appliance/route/client/fail-over.ts';
import { configFile } from '../../../../appliance/route/client/render-config.ts';
import { enterState, readClientState } from '../../../../appliance/route/client/state.ts';
import { probeOf, server } from './rig.ts';

/** Returns a server whose active proxy is `a`. */
async function active(route: object = {}) {
  const { host, context } = server(['a', 'b', 'c'], route);
  await applyClient(context, async () => undefined);
  const read = () => readFileSync(host.path(configFile('candidate')), 'utf8');
  const check = async (failures: number, works: readonly string[]) => {
    const { probe, tested } = probeOf(works, read);
    const changed = await failOver(context, { failures, max: 3 }, probe);
    return { changed, tested, state: await readClientState(host) };
  };
  const outbound = () =>
    JSON.parse(readFileSync(host.path(configFile('active')), 'utf8')).outbounds[0].tag;
  return { host, check, outbound };
}

describe('a check of the active proxy', () => {
  it('tests no other proxy while the active one works', async () => {
    const { check } = await active();
    expect(await check(0, ['a', 'b'])).toMatchObject({ changed: false, tested: [] });
  });

  it('leaves a capture that is not confirmed to its undo', async () => {
    const { host, check } = await active();
    await enterState(host, 'provisional', 'a');
    expect(await check(3, ['b'])).toMatchObject({ changed: false, tested: [] });
  });

  it('changes to the next proxy that works, after the first failure', async () => {
    const { check, outbound } = await active();
    expect(await check(1, ['c'])).toMatchObject({
      ...{ changed: true, tested: ['a', 'b', 'c'], state: { state: 'active', node: 'c' } },
    });
    expect(outbound()).toBe('c');
  });

  it('counts the proxies as failed after the third failure, and stays closed', async () => {
    const { check, outbound } = await active();
    expect(await check(1, [])).toMatchObject({ changed: false, state: { state: 'active' } });
    expect(await check(2, [])).toMatchObject({ changed: false, state: { state: 'active' } });
    expect(await check(3, [])).toMatchObject({ changed: false, state: { state: 'failed' } });
    expect(outbound()).toBe('a');
  });

  it('connects directly after the third failure with on_failure: direct, until a proxy works', async () => {
    const { check, outbound } = await active({ on_failure: 'direct' });
    await check(1, []);
    await check(2, []);
    expect(outbound()).toBe('a');
    await check(3, []);
    expect(outbound()).toBe('direct');
    // Over direct connections the route works, so the check has no failure.
    expect(await check(0, ['b'])).toMatchObject({ changed: true, state: { state: 'active' } });
    expect(outbound()).toBe('b');
  });

  it('does nothing on a server with another route', async () => {
    const { context } = server([], { mode: 'direct' });
    const direct = { ...context, site: { ...context.site, route: { mode: 'direct' as const } } };
    expect(await failOver(direct, { failures: 3, max: 3 })).toBe(false);
  });
});
