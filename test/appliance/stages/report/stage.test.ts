import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { motdFile, reportFile, statusFile } from '#contract/server-paths.ts';
import { siteSchema } from '#contract/site/site.ts';
import { storedStatus } from '../../../../appliance/server/progress/status.ts';
import { phoneHome, reportStage } from '../../../../appliance/stages/report/stage.ts';
import { storedReport } from '../../../../appliance/stages/report/stored-report.ts';
import { HttpProxy } from '../../../faulty-server/http-proxy.ts';
import { SocksProxy } from '../../../faulty-server/socks-proxy.ts';
import { contextFor, type Differences, smallSite } from '../../context.ts';
import { statusOf } from '../../server/progress/status-of.ts';
import { warningOf } from '../../server/stage/warning-of.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { answers, goodReport } from './fixture.ts';
import { Webhook } from './webhook.ts';

function server(differences: Differences = {}) {
  const host = TemporaryHost.with({}, answers);
  return { host, context: contextFor(host, differences) };
}

const siteWith = (webhook: string) => ({ report: { webhook } });

describe('the report stage', () => {
  it('plans the files without writing them', async () => {
    const { host, context } = server();
    expect(await reportStage.check(context)).toEqual([
      'write /var/lib/landfall/report.txt and the login message',
    ]);
    expect(await storedReport.read(host)).toBeUndefined();
  });

  it('can plan on a fresh server without the tools', async () => {
    const host = TemporaryHost.with({}, { '': 127 });
    expect(await reportStage.check(contextFor(host))).toHaveLength(1);
  });

  it('writes the report as JSON and text, and the login message', async () => {
    const { host, context } = server();
    await reportStage.apply(context);
    await reportStage.prove(context);
    expect(await storedReport.read(host)).toMatchObject({
      release: '1.0.0',
      ssh: { command: 'ssh ops@203.0.113.5', fingerprints: ['ED25519 SHA256:abc'] },
      addresses: { v4: ['203.0.113.5'], v6: ['2001:db8::5'] },
      firewall: ['Status: active', 'Default: deny (incoming)', ''],
    });
    expect(readFileSync(host.path(reportFile.text), 'utf8')).toContain('ssh ops@203.0.113.5');
    expect(readFileSync(host.path(motdFile.finished), 'utf8')).toContain(
      'landfall 1.0.0 is installed',
    );
    expect(statSync(host.path(reportFile.text)).mode & 0o777).toBe(0o644);
  });

  it('contains the peak memory of the program', async () => {
    const { host, context } = server();
    await reportStage.apply(context);
    const { peakMemory = 0 } = (await storedReport.read(host)) ?? {};
    // Bytes: more than a small Node process, less than any test runner needs.
    expect(peakMemory).toBeGreaterThan(2e7);
    expect(peakMemory).toBeLessThan(4e9);
  });

  it('finds nothing to do for the report stage after apply', async () => {
    const { context } = server();
    await reportStage.apply(context);
    expect(await reportStage.check(context)).toEqual([]);
  });

  it('updates the report after a change', async () => {
    const { host, context } = server();
    await reportStage.apply(context);
    const site = { hosts: { ui: 'chat.example.com' }, tls: { mode: 'internal' } };
    expect(await reportStage.check(contextFor(host, { site }))).toHaveLength(1);
    writeFileSync(host.path(motdFile.finished), 'something else');
    expect(await reportStage.check(context)).toHaveLength(1);
  });

  it('adds and removes warnings (regression: a warning stayed forever)', async () => {
    const { host, context } = server();
    const statusWith = (...texts: string[]) =>
      storedStatus.write(
        host,
        statusOf('report', 'running', { warnings: texts.map((text) => warningOf(text)) }),
      );
    await statusWith('no swap was made');
    await reportStage.apply(context);
    expect((await storedReport.read(host))?.warnings).toEqual([warningOf('no swap was made')]);
    await statusWith();
    expect(await reportStage.check(context)).toHaveLength(1);
    await reportStage.apply(context);
    expect((await storedReport.read(host))?.warnings).toEqual([]);
    expect(await reportStage.check(context)).toEqual([]);
  });

  it('ignores the order of warnings, and keeps them after a reboot', async () => {
    const { host, context } = server();
    const statusWith = (...texts: string[]) =>
      storedStatus.write(
        host,
        statusOf('report', 'running', { warnings: texts.map((text) => warningOf(text)) }),
      );
    await statusWith('one', 'two');
    await reportStage.apply(context);
    await statusWith('two', 'one');
    expect(await reportStage.check(context)).toEqual([]);
    rmSync(host.path(statusFile));
    expect(await reportStage.check(context)).toEqual([]);
  });

  it('rejects a stored report that was changed', async () => {
    const { host, context } = server();
    await reportStage.apply(context);
    const text = readFileSync(host.path(reportFile.json), 'utf8');
    writeFileSync(host.path(reportFile.json), text.slice(0, -30));
    await expect(reportStage.prove(context)).rejects.toMatchObject({ code: 'STATE_INVALID' });
    expect(await reportStage.check(context)).toHaveLength(1);
  });

  it('uses the port that SSH listens on', async () => {
    const sshd = 'port 2222\nlistenaddress 0.0.0.0:2222\n';
    const host = TemporaryHost.with({}, { ...answers, '/usr/sbin/sshd -T': sshd });
    await reportStage.apply(contextFor(host));
    expect((await storedReport.read(host))?.ssh.command).toBe('ssh -p 2222 ops@203.0.113.5');
  });
});

describe('the webhook of a site', () => {
  const open: Webhook[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((webhook) => webhook.close()));
  });
  const start = async (status?: number) => {
    const webhook = await Webhook.start(status);
    open.push(webhook);
    return webhook;
  };

  it('receives the report once', async () => {
    const webhook = await start();
    const { context } = server({ site: siteWith(webhook.url) });
    expect((await reportStage.check(context)).at(-1)).toMatch(
      /^send the report to 127\.0\.0\.1:\d+$/,
    );
    await reportStage.apply(context);
    expect(await reportStage.check(context)).toEqual([]);
    expect(webhook.told).toHaveLength(1);
  });

  it('becomes a warning on failure, in the report too', async () => {
    const webhook = await start(500);
    const { host, context } = server({ site: siteWith(webhook.url) });
    await reportStage.apply(context);
    await reportStage.prove(context);
    const warning = expect.stringMatching(
      /sending the report to the webhook failed: .* returned status 500/,
    );
    expect(context.warned).toEqual([warning]);
    const subject = new URL(webhook.url).host;
    const stored = { kind: 'webhook', subject, text: warning };
    expect(context.warnings).toMatchObject([{ ...stored, text: { en: warning } }]);
    expect((await storedReport.read(host))?.warnings).toEqual([stored]);
    expect(readFileSync(host.path(reportFile.text), 'utf8')).toContain('returned status 500');
  });

  it('hides the path of the webhook of a site, which may contain a token', async () => {
    const webhook = await start(500);
    const { host, context } = server({ site: siteWith(webhook.url) });
    const planned = await reportStage.check(context);
    await reportStage.apply(context);
    const files = [reportFile.json, reportFile.text, motdFile.finished].map((path) =>
      readFileSync(host.path(path), 'utf8'),
    );
    expect([...files, ...planned, ...context.said, ...context.warned].join('\n')).not.toContain(
      'token-in-the-path',
    );
  });
});

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
