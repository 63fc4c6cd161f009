import { existsSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { clientStateFile, importedProxiesFile } from '#contract/server-paths.ts';
import { bringUp } from '../../../../appliance/route/client/bring-up.ts';
import type { ProbeClient } from '../../../../appliance/route/client/probe.ts';
import { configFile } from '../../../../appliance/route/client/render-config.ts';
import { importedProxies } from '../../../../appliance/route/client/wait-for-proxies.ts';
import type { Context } from '../../../../appliance/stage/stage.ts';
import type { TemporaryHost } from '../../temporary-host.ts';
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
