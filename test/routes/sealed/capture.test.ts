import { afterAll, beforeAll, expect, it } from 'vitest';
import { hostNeeds } from '../../host/host-needs.ts';
import { decoy } from '../../host/sealed/overseas.ts';
import type { SealedPremises } from '../../host/sealed/sealed-premises.ts';
import { behindProxies, comeUp } from './behind-proxies.ts';
import { HeldDownload, HeldSession } from './held-connections.ts';
import type { ProxyWay } from './proxy-servers.ts';
import { Pushing } from './pushing.ts';

const given = hostNeeds('debian13', 'registry', 'composePlugin');

/** The address of the administrator, a documentation address (RFC 5737): not private for the client. */
const home = '198.51.100.7';

/** Files, rules and settings that the capture changes. The interfaces of Docker come and go. */
const portrait = `
  find /etc -printf '%y %m %U %G %p %l\\n' | grep -v /apt-listchanges.timer | sort
  find /etc -type f -exec sha256sum {} + | sort
  ip rule; ip -6 rule; ip route show table all | grep -v 'dev docker\\|dev br-\\|dev veth'
  nft list tables; nft --stateless --terse list table inet landfall
  cat /proc/sys/net/ipv4/conf/all/src_valid_mark`;

/** Requests a host of the internet without a proxy, as a program that knows none. */
const request = `curl -sk -m 15 -o /dev/null -w '%{http_code}' --noproxy '*' \\
  --resolve ghcr.io:443:${decoy.v4} https://ghcr.io/v2/`;
/** The same in the network of a container. */
const requestInContainer = `nsenter --net -t $(docker inspect -f '{{.State.Pid}}' \\
  $(docker ps -q --filter name=gateway)) ${request}`;

given.describe('a server that captures all connections', () => {
  let pushing: Pushing;
  let server: SealedPremises;
  let ways: readonly ProxyWay[];
  let session: HeldSession;
  let download: HeldDownload;

  beforeAll(async () => {
    pushing = await Pushing.open();
    const types = ['shadowsocks', 'trojan'] as const;
    ({ server, ways } = await behindProxies(given, types, pushing, { capture: 'host' }));
    await pushing.push(server);
    const links = ways.map(({ link }) => link);
    await pushing.push(server, links);
    await comeUp(server);
    await server.uplink.addAddress(home);
    const folder = '/var/lib/landfall/acme/challenges/.well-known/acme-challenge';
    await host().output(`mkdir -p ${folder} && truncate -s 4G ${folder}/large`);
    session = new HeldSession(pushing.sshArguments(server, 'ops', 'cat', home));
    const url = `http://${host().addresses.v4}/.well-known/acme-challenge/large`;
    download = await HeldDownload.start(url, home);
  });
  afterAll(async () => {
    session?.close();
    download?.close();
    await server?.close();
  });

  const host = () => server.premises.host;
  const login = (command: string) => pushing.sshFrom(home, server, 'ops', command);
  const holds = async () => {
    await session.echo();
    await download.goesOn();
  };
  const capture = async () => JSON.parse(await host().output('landfall route show --json')).capture;
  const reaches = async () =>
    await expect
      .poll(async () => (await host().run(request)).stdout, { timeout: 60_000 })
      .toBe('200');

  /** Waits for a login after a reboot. UFW accepts five in 30 seconds. */
  const works = async () =>
    await expect
      .poll(async () => (await login('true')).exitCode, { timeout: 120_000, interval: 10_000 })
      .toBe(0);

  it('keeps an SSH session and a download while it is turned on', async () => {
    await holds();
    await host().output('landfall route on');
    await holds();
    expect(await capture()).toBe('provisional');
  });

  it('confirms the capture from a new login', async () => {
    expect(await login('sudo landfall confirm')).toMatchObject({ exitCode: 0 });
    expect(await capture()).toBe('active');
  });

  it('sends programs without a proxy through the client, on the server and in containers', async () => {
    await reaches();
    expect(await host().output(requestInContainer)).toBe('200');
    expect(await server.uplink.dropped()).toEqual([]);
  });

  it('keeps both while the client is killed', async () => {
    await host().killUnit('landfall-client@active');
    expect((await host().run(request)).stdout).not.toBe('200');
    await holds();
    await reaches();
    expect(await server.uplink.dropped()).toEqual([]);
  });

  it('keeps both with a dead proxy, and changes to the next one', async () => {
    await ways[0]?.kill();
    expect((await host().run(request)).stdout).not.toBe('200');
    await holds();
    await host().output('systemctl start landfall-route.service');
    await reaches();
    expect(await host().output('landfall route show')).toContain('Debian trojan');
    await holds();
    expect(await server.uplink.dropped()).toEqual([]);
  });

  it('keeps both while it is turned off', async () => {
    await host().output('landfall route off');
    await holds();
    expect(await login('true')).toMatchObject({ exitCode: 0 });
  });

  it('turns the capture on and off again, byte for byte', async () => {
    const before = await host().output(portrait);
    await host().output('landfall route on');
    expect(await login('sudo landfall confirm')).toMatchObject({ exitCode: 0 });
    expect(await host().output(portrait)).not.toBe(before);
    await host().output('landfall route off');
    expect(await host().output(portrait)).toBe(before);
  });

  it('undoes the capture without a confirmation', async () => {
    await host().output('landfall route on');
    expect(await capture()).toBe('provisional');
    await host().output('systemctl start landfall-undo-capture.service');
    expect(await capture()).toBe('off');
    await session.echo();
  });

  it('removes the capture after a reboot without a confirmation', async () => {
    await host().output('landfall route on');
    expect(await capture()).toBe('provisional');
    await host().reboot();
    await works();
    expect(await capture()).toBe('off');
    expect(await host().output('ip rule')).not.toContain('fwmark');
  });

  it('lets the administrator log in after a reboot, and still captures', async () => {
    await host().output('landfall route on');
    expect(await login('sudo landfall confirm')).toMatchObject({ exitCode: 0 });
    await host().reboot();
    await works();
    await reaches();
    expect(await capture()).toBe('active');
    expect(await server.uplink.dropped()).toEqual([]);
  });

  it('would have counted a direct packet', async () => {
    await host().output('landfall route off');
    await host().run(request);
    expect(await server.uplink.dropped()).toContainEqual(expect.stringContaining(decoy.v4));
  });
});
