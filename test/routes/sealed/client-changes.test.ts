import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClientState } from '../../../appliance/stages/route/client/state.ts';
import { hostNeeds } from '../../host/host-needs.ts';
import type { SealedPremises } from '../../host/sealed/sealed-premises.ts';
import { behindProxies, comeUp } from './behind-proxies.ts';
import { type ProxyWay, proxyPassword, proxyTypes } from './proxy-servers.ts';
import { Pushing } from './pushing.ts';
import { itTurnsTheRouteOff } from './route-off-view.ts';

const given = hostNeeds('debian13', 'registry', 'composePlugin');

given.describe('a server with three imported proxies', () => {
  let server: SealedPremises;
  let ways: readonly ProxyWay[];

  beforeAll(async () => {
    const pushing = await Pushing.open();
    ({ server, ways } = await behindProxies(given, proxyTypes, pushing));
    const links = ways.map(({ link }) => link);
    await pushing.push(server);
    await pushing.push(server, links);
    await comeUp(server);
  });
  afterAll(() => server?.close());

  const host = () => server.premises.host;
  const state = async (): Promise<ClientState> =>
    JSON.parse(await host().output('cat /etc/landfall/route/state.json'));
  /** Starts what the timer starts every 15 minutes. */
  const check = () => host().output('systemctl start landfall-route.service');
  const works = () =>
    expect
      .poll(async () => (await host().run('landfall route test')).exitCode, { timeout: 120_000 })
      .toBe(0);

  it('uses the first one', async () => {
    expect(await state()).toMatchObject({ state: 'active', node: 'Debian ss' });
    const shown = JSON.parse(await host().output('landfall route show --json'));
    expect(shown).toMatchObject({ mode: 'client', state: 'on', missing: [] });
  });

  it('still uses it after a reboot', async () => {
    await host().reboot();
    await works();
    expect(await state()).toMatchObject({ state: 'active', node: 'Debian ss' });
  });

  it('starts the client again if it is killed', async () => {
    await host().output('systemctl kill --signal=KILL landfall-client@active');
    await works();
  });

  it('changes to the next proxy when a scheduled check finds the active one dead', async () => {
    await ways[0]?.kill();
    await check();
    expect(await state()).toMatchObject({ state: 'active', node: 'Debian v2ray' });
    await works();
  });

  it('stays closed when all are dead, and reports it after three checks', async () => {
    await ways[1]?.kill();
    await ways[2]?.kill();
    for (let round = 1; round <= 3; round += 1) await check();
    expect(await state()).toMatchObject({ state: 'failed' });
    const fetch = 'curl -sS -m 5 -x http://127.0.0.1:7890 https://ghcr.io/v2/ -o /dev/null';
    expect((await host().run(fetch)).exitCode).not.toBe(0);
    expect(await host().output('landfall report')).toContain('none of the destinations');
    expect(await server.uplink.dropped()).toEqual([]);
  });

  it('works again after the first check that finds a proxy', async () => {
    await ways[2]?.start();
    await check();
    expect(await state()).toMatchObject({ state: 'active', node: 'Debian trojan' });
    await works();
  });

  describe('in its route', () =>
    itTurnsTheRouteOff(() => server, {
      password: proxyPassword,
      keptIn: 'etc/landfall/route',
    }));
});
