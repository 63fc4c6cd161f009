import { existsSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { clientStateFile, importedProxiesFile } from '#contract/server-paths.ts';
import type { Context } from '../../../../../appliance/server/stage/stage.ts';
import { bringUp, failOver } from '../../../../../appliance/stages/route/client/bring-up.ts';
import { applyClient } from '../../../../../appliance/stages/route/client/client.ts';
import type { ProbeClient } from '../../../../../appliance/stages/route/client/probe.ts';
import { configFile } from '../../../../../appliance/stages/route/client/render.ts';
import {
  enterState,
  importedProxies,
  storedClient,
} from '../../../../../appliance/stages/route/client/state.ts';
import type { TemporaryHost } from '../../../temporary-host.ts';
import { imported, probeOf, server } from './rig.ts';

const read = (host: TemporaryHost, path: string) => readFileSync(host.path(path), 'utf8');
const tagIn = (host: TemporaryHost, role: 'active' | 'previous') =>
  JSON.parse(read(host, configFile(role))).outbounds[0].tag;

function rig(names: readonly string[], works: readonly string[], route: object = {}) {
  const { host, context } = server(names, route);
  const { probe, tested } = probeOf(works, () => read(host, configFile('candidate')));
  return { host, context, tested, run: () => search(context, probe) };
}

/** Searches the imported proxies like the stage. */
async function search(context: Context, probe: ProbeClient) {
  const { route } = context.site;
  return await bringUp(context, (await importedProxies(context.host)) ?? [], {
    ...{ probe, tries: 16 },
    mayConnectDirectly: route.mode === 'client' && route.on_failure === 'direct',
  });
}

describe('a proxy client', () => {
  it('activates the first proxy that works, after testing it beside the active client', async () => {
    const { host, run, tested } = rig(['a', 'b', 'c'], ['b', 'c']);
    expect(await run()).toMatchObject({ state: 'active', node: 'b', verdict: null });
    expect(tested).toEqual(['a', 'b']);
    expect(tagIn(host, 'active')).toBe('b');
    const lines = host.ran.join('\n');
    expect(lines.indexOf('restart landfall-client@candidate')).toBeLessThan(
      lines.indexOf('restart landfall-client@active'),
    );
    expect(lines).not.toContain('s3cret');
  });

  it('leaves no candidate, and only root can read its files', async () => {
    const { host, run } = rig(['a'], ['a']);
    await run();
    expect(existsSync(host.path(configFile('candidate')))).toBe(false);
    expect(host.ran.filter((line) => line.includes('candidate')).at(-1)).toContain('stop');
    for (const path of [configFile('active'), clientStateFile]) {
      expect(statSync(host.path(path)).mode & 0o777).toBe(0o600);
    }
  });

  it('keeps the active configuration if every proxy fails, so nothing leaves directly', async () => {
    const { host, context, run } = rig(['a', 'b'], ['a']);
    await run();
    const before = read(host, configFile('active'));
    const { probe } = probeOf([], () => read(host, configFile('candidate')));
    expect(await search(context, probe)).toMatchObject({
      ...{ state: 'failed', verdict: expect.stringMatching(/^a: no response.*; b: no response/) },
    });
    expect(read(host, configFile('active'))).toBe(before);
  });

  it('connects directly with on_failure: direct, but not to private addresses', async () => {
    const { host, run } = rig(['a'], [], { on_failure: 'direct' });
    expect(await run()).toMatchObject({ state: 'failed', node: 'a' });
    const { outbounds, route } = JSON.parse(read(host, configFile('active')));
    expect(outbounds).toEqual([{ type: 'direct', tag: 'direct' }]);
    expect(route.rules).toEqual([{ action: 'resolve' }, { ip_is_private: true, action: 'reject' }]);
  });

  it('tries the proxy in use first, then the next one, and keeps the previous settings', async () => {
    const { host, context } = rig(['a', 'b', 'c'], []);
    const candidate = () => read(host, configFile('candidate'));
    await search(context, probeOf(['b'], candidate).probe);
    const later = probeOf(['c'], candidate);
    await search(context, later.probe);
    expect(later.tested).toEqual(['b', 'c']);
    expect([tagIn(host, 'previous'), tagIn(host, 'active')]).toEqual(['b', 'c']);
  });

  it('tries 16 proxies in one run, and continues with the next ones', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `n${index + 1}`);
    const { context, tested, run, host } = rig(names, []);
    expect(await run()).toMatchObject({ state: 'failed', node: 'n16' });
    expect(tested).toHaveLength(16);
    const next = probeOf(['n18'], () => read(host, configFile('candidate')));
    expect(await search(context, next.probe)).toMatchObject({ state: 'active', node: 'n18' });
    expect(next.tested).toEqual(['n17', 'n18']);
  });

  it('skips a proxy whose settings the client rejects', async () => {
    const program = (line: string) => (line.includes(' check ') ? 1 : '');
    const { host, context } = server(['a'], {}, { '/': program });
    const { probe, tested } = probeOf(['a'], () => read(host, configFile('candidate')));
    expect(await search(context, probe)).toMatchObject({
      ...{ state: 'failed', verdict: 'a: the proxy client rejects its settings' },
    });
    expect(tested).toEqual([]);
  });

  it('returns to the previous configuration if the client does not start with a new one', async () => {
    const { host, context, run } = rig(['a'], ['a']);
    await run();
    const before = read(host, configFile('active'));
    const failing = server(
      ['b'],
      {},
      { 'systemctl is-active': 3 },
      { [configFile('active')]: before },
    );
    const { probe } = probeOf(['b'], () => read(failing.host, configFile('candidate')));
    expect(await search(failing.context, probe)).toMatchObject({
      ...{ state: 'failed', verdict: 'b: the proxy client does not start' },
    });
    expect(read(failing.host, configFile('active'))).toBe(before);
    expect(imported(['a'])).toBe(read(context.host as TemporaryHost, importedProxiesFile));
  });
});

/** Returns a server whose active proxy is `a`. */
async function active(route: object = {}) {
  const { host, context } = server(['a', 'b', 'c'], route);
  await applyClient(context, async () => undefined);
  const read = () => readFileSync(host.path(configFile('candidate')), 'utf8');
  const check = async (failures: number, works: readonly string[]) => {
    const { probe, tested } = probeOf(works, read);
    const changed = await failOver(context, { failures, max: 3 }, probe);
    return { changed, tested, state: await storedClient.read(host) };
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
