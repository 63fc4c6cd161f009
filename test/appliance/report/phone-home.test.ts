import { afterEach, describe, expect, it } from 'vitest';
import { siteSchema } from '#contract/site/site.ts';
import { phoneHome } from '../../../appliance/report/phone-home.ts';
import { HttpProxy } from '../../faulty-server/http-proxy.ts';
import { SocksProxy } from '../../faulty-server/socks-proxy.ts';
import { smallSite } from '../context.ts';
import { TemporaryHost } from '../temporary-host.ts';
import { goodReport } from './fixture.ts';
import { Webhook } from './webhook.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((thing) => thing.close()));
});

function closeLater<T extends { close(): Promise<void> }>(thing: T): T {
  open.push(thing);
  return thing;
}

const call = (webhook: string, route: object = { mode: 'direct' }, seconds?: number) => {
  const site = siteSchema.parse({ ...smallSite, route });
  return phoneHome(TemporaryHost.with({}), site, webhook, goodReport, seconds);
};

/** Returns a URL whose host only a proxy can resolve. */
const named = (url: string) => url.replace('127.0.0.1', 'hooks.example.com');
const names = { 'hooks.example.com': '127.0.0.1' };

describe('phoneHome', () => {
  it('posts the report as JSON', async () => {
    const webhook = closeLater(await Webhook.start());
    await call(webhook.url);
    expect(webhook.told).toHaveLength(1);
    const [told] = webhook.told;
    expect(told).toMatchObject({ method: 'POST', path: '/hooks/token-in-the-path' });
    expect(told?.headers['content-type']).toBe('application/json');
    expect(JSON.parse(told?.body ?? '')).toEqual(goodReport);
  });

  it('uses the HTTP proxy of the site', async () => {
    const webhook = closeLater(await Webhook.start());
    const proxy = closeLater(await HttpProxy.start());
    const route = { mode: 'http-proxy', url: proxy.url };
    // This proxy cannot resolve the name either; the test checks the request to the proxy.
    await call(named(webhook.url), route).catch(() => {});
    expect(proxy.asked).toEqual([`POST ${named(webhook.url)}`]);
  });

  it('uses the SOCKS proxy of the site', async () => {
    const webhook = closeLater(await Webhook.start());
    const proxy = closeLater(await SocksProxy.start({ names }));
    await call(named(webhook.url), { mode: 'socks5', url: `socks5h://${proxy.host}` });
    expect(proxy.asked).toEqual([new URL(named(webhook.url)).host]);
    expect(webhook.told).toHaveLength(1);
  });

  it.each([302, 401, 404, 500])('fails with status %d', async (status) => {
    const webhook = closeLater(await Webhook.start(status));
    await expect(call(webhook.url)).rejects.toMatchObject({
      code: 'HTTP_STATUS',
      message: expect.stringContaining(`returned status ${status}`),
    });
    // A redirect would send the report to a host that is not in the site.
    expect(webhook.told).toHaveLength(1);
  });

  it('fails if the webhook is not reachable', async () => {
    const webhook = await Webhook.start();
    await webhook.close();
    await expect(call(webhook.url)).rejects.toMatchObject({ code: 'NETWORK_UNREACHABLE' });
  });

  it('times out, without the path in the error', async () => {
    const webhook = closeLater(await Webhook.start('silent'));
    const error = await call(webhook.url, undefined, 0.3).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'NETWORK_TIMEOUT' });
    expect(String(error)).not.toContain('token-in-the-path');
  });

  it('counts as time outside of the program', async () => {
    const webhook = closeLater(await Webhook.start());
    const host = TemporaryHost.with({});
    await phoneHome(host, smallSite, webhook.url, goodReport);
    expect(host.outside.total).toBeGreaterThan(0);
  });
});
