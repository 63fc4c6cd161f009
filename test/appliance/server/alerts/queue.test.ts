import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { siteSchema } from '#contract/site/site.ts';
import { setLanguage } from '#contract/text/language.ts';
import {
  describeResults,
  describeTargets,
  targetStates,
  testTargets,
} from '../../../../appliance/server/alerts/describe-alerts.ts';
import {
  deliverAlerts,
  queueAlerts,
  readQueue,
} from '../../../../appliance/server/alerts/queue.ts';
import { HttpProxy } from '../../../faulty-server/http-proxy.ts';
import { Receiver, targetFor } from '../../../stand-ins/alert-receivers/receiver.ts';
import { planted, type Vendor } from '../../../stand-ins/alert-receivers/vendors.ts';
import { smallSite } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { failedAlert, workingAlert } from './fixture.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

const now = new Date('2026-11-22T22:00:00.000Z');
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);

async function setUp(
  kind: 'slack' | 'feishu' | 'telegram' = 'slack',
  { vendor, rest = {} }: { vendor?: Vendor; rest?: object } = {},
) {
  const receiver = await Receiver.start(kind, vendor);
  open.push(receiver);
  const { target, files } = targetFor(kind, receiver.origin);
  const site = siteSchema.parse({ ...smallSite, alerts: [target], ...rest });
  const host = TemporaryHost.with({ 'etc/hostname': 'vps-1\n', ...files });
  return { receiver, site, host };
}

describe('an alert', () => {
  it('sends an alert once', async () => {
    const { receiver, site, host } = await setUp();
    await queueAlerts(host, site, [failedAlert]);
    await deliverAlerts(host, site, now);
    await deliverAlerts(host, site, later(15));
    expect(receiver.accepted).toEqual([expect.stringContaining('Landfall on vps-1: images of')]);
  });

  it('reaches a target with a name that every object has', async () => {
    const { receiver } = await setUp();
    const { target, files } = targetFor('slack', receiver.origin);
    const alerts = [{ ...target, name: 'constructor' }];
    const site = siteSchema.parse({ ...smallSite, alerts });
    const [url = ''] = Object.values(files);
    const host = TemporaryHost.with({ 'etc/landfall/secrets/alert-constructor-url': url });
    await queueAlerts(host, site, [failedAlert]);
    await deliverAlerts(host, site, now);
    expect(receiver.accepted).toHaveLength(1);
  });

  it('stays in the queue until its receiver can be reached', async () => {
    let isDown = true;
    const vendor: Vendor = ({ body }) =>
      isDown ? { status: 503 } : { status: 200, body: 'ok', accepted: body };
    const { receiver, site, host } = await setUp('slack', { vendor });
    await queueAlerts(host, site, [failedAlert]);
    await deliverAlerts(host, site, now);
    expect((await readQueue(host)).get('slack')).toMatchObject({
      unsent: [failedAlert],
      failure: { code: 'HTTP_STATUS' },
    });
    isDown = false;
    await deliverAlerts(host, site, later(15));
    expect(receiver.accepted).toHaveLength(1);
    expect(await readQueue(host)).toEqual(new Map([['slack', { unsent: [] }]]));
  });

  it('replaces an alert by a newer one with the same subject', async () => {
    const { receiver, site, host } = await setUp();
    await queueAlerts(host, site, [failedAlert, { ...failedAlert, subject: 'provider openai' }]);
    await queueAlerts(host, site, [workingAlert]);
    await deliverAlerts(host, site, now);
    expect(receiver.accepted).toHaveLength(1);
    expect(receiver.accepted[0]).toContain('1 failed, 1 working again');
  });

  it('waits as long as the receiver demands', async () => {
    const vendor: Vendor = () => ({
      status: 429,
      body: { ok: false, error_code: 429, parameters: { retry_after: 3600 } },
    });
    const { receiver, site, host } = await setUp('telegram', { vendor });
    await queueAlerts(host, site, [failedAlert]);
    for (const minutes of [0, 15, 30, 45]) await deliverAlerts(host, site, later(minutes));
    expect(receiver.received).toHaveLength(1);
    await deliverAlerts(host, site, later(61));
    expect(receiver.received).toHaveLength(2);
  });

  it('sends an alert again only after six hours if the receiver rejects it', async () => {
    const vendor: Vendor = () => ({
      status: 200,
      body: { code: 19024, msg: 'Key Words Not Found' },
    });
    const { receiver, site, host } = await setUp('feishu', { vendor });
    await queueAlerts(host, site, [failedAlert]);
    for (const minutes of [0, 15, 359]) await deliverAlerts(host, site, later(minutes));
    expect(receiver.received).toHaveLength(1);
    await deliverAlerts(host, site, later(361));
    expect(receiver.received).toHaveLength(2);
  });

  it('waits for the secret of its target', async () => {
    const { receiver, site } = await setUp();
    const host = TemporaryHost.with({});
    await queueAlerts(host, site, [failedAlert]);
    await deliverAlerts(host, site, now);
    expect(receiver.received).toEqual([]);
    expect(describeTargets(await targetStates(host, site))).toBe(
      'slack  slack  the alert target slack has no secret yet; sudo landfall secret set alert-slack-url',
    );
  });

  it('survives a damaged queue', async () => {
    const { receiver, site, host } = await setUp();
    const damaged = TemporaryHost.with({
      'var/lib/landfall/alerts.json': '{"slack": 1',
      'etc/landfall/secrets/alert-slack-url': readFileSync(
        host.path('etc/landfall/secrets/alert-slack-url'),
        'utf8',
      ),
    });
    await queueAlerts(damaged, site, [failedAlert]);
    await deliverAlerts(damaged, site, now);
    expect(receiver.accepted).toHaveLength(1);
  });
});

describe('a target whose proxy fails', () => {
  const route = { mode: 'http-proxy', url: 'http://me:secret@127.0.0.1:9' };

  it('gets the message without the proxy if it allows that', async () => {
    const { site: plain, receiver, host } = await setUp();
    // The receiver is exempt from the proxy on loopback, so the route is tested by name below.
    const site = { ...plain, route: siteSchema.parse({ ...smallSite, route }).route };
    expect(await testTargets(host, site)).toMatchObject([{ sent: true, via: 'route' }]);
    expect(receiver.accepted).toHaveLength(1);
  });

  it.each([
    [true, 'NETWORK_UNREACHABLE'],
    [false, 'NETWORK_PROXY'],
  ])('tries the proxy first, then directly only with direct: %s', async (direct, code) => {
    const proxy = await HttpProxy.start({ refusal: 502 });
    open.push(proxy);
    const site = siteSchema.parse({
      ...smallSite,
      route: { mode: 'http-proxy', url: proxy.url },
      alerts: [{ kind: 'slack', direct }],
    });
    const url = `https://hooks.invalid/services/T0/B0/${planted.token}`;
    const host = TemporaryHost.with({ 'etc/landfall/secrets/alert-slack-url': `${url}\n` });
    const [result] = await testTargets(host, site);
    expect(result).toMatchObject({ sent: false, error: { code } });
    expect(proxy.asked).toEqual(['CONNECT hooks.invalid:443']);
  });
});

describe('the test of targets', () => {
  it('returns one test result per target, and forgets an earlier failure', async () => {
    let isDown = true;
    const vendor: Vendor = ({ body }) =>
      isDown ? { status: 404, body: 'no_service' } : { status: 200, body: 'ok', accepted: body };
    const { site, host } = await setUp('slack', { vendor });
    await queueAlerts(host, site, [failedAlert]);
    await deliverAlerts(host, site, now);
    const failed = await testTargets(host, site);
    expect(describeResults(failed)).toMatch(
      /^slack {2}slack {2}failed {2}HTTP_STATUS: .*\nhint for slack: /,
    );
    setLanguage('zh');
    expect(describeResults(failed)).toMatch(/^slack {2}slack {2}失败 .*\nslack 的建议：/);
    setLanguage('en');
    isDown = false;
    const sent = await testTargets(host, site);
    expect(describeResults(sent)).toBe('slack  slack  sent');
    expect((await readQueue(host)).get('slack')).toEqual({ unsent: [failedAlert] });
  });

  it('fails if the site has no targets', async () => {
    await expect(testTargets(TemporaryHost.with({}), smallSite)).rejects.toMatchObject({
      code: 'ALERT_FAILED',
    });
  });
});

describe('the secrets of targets', () => {
  it('writes the secrets of targets to no output and to no file besides their own', async () => {
    const vendor: Vendor = ({ url, body }) => ({ status: 500, body: `${url}${body}` });
    for (const kind of ['slack', 'feishu', 'telegram'] as const) {
      const { site, host } = await setUp(kind, { vendor });
      await queueAlerts(host, site, [failedAlert]);
      await deliverAlerts(host, site, now);
      const results = await testTargets(host, site);
      const states = await targetStates(host, site);
      const files = readdirSync(host.root, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('secrets'))
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
      const outputs = [
        JSON.stringify([results, states]),
        describeResults(results),
        describeTargets(states),
        ...files,
      ].join('\n');
      expect(outputs).toContain('HTTP_STATUS');
      for (const secret of Object.values(planted)) expect(outputs).not.toContain(secret);
    }
  });
});
