import { afterEach, describe, expect, it } from 'vitest';
import {
  type CheckedHost,
  checkHosts,
  checkTable,
  type HostResult,
  hostsOf,
  isConnected,
  remedies,
} from '#editor/check-hosts.ts';
import { editors } from '#editor/editors.ts';
import { systemNetwork } from '#probe/exchange/network.ts';
import { CertificateAuthority } from '../../../faulty-server/certificates.ts';
import { status as respond } from '../../../faulty-server/faults.ts';
import { FaultyServer } from '../../../faulty-server/faulty-server.ts';
import { HttpProxy, type ProxyOptions } from '../../../faulty-server/http-proxy.ts';

const authority = new CertificateAuthority();
const names = { 'api.vendor.example': '127.0.0.1', 'auth.vendor.example': '127.0.0.1' };
const closing: Array<{ close(): Promise<void> }> = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((each) => each.close()));
});

/** A vendor's host that only the proxy can resolve. */
async function vendor(status = 404, options: ProxyOptions = {}) {
  const tls = authority.issue({ names: Object.keys(names) });
  const server = await FaultyServer.start({ '/': respond(status) }, { tls });
  const proxy = await HttpProxy.start({ names, ...options });
  closing.push(server, proxy);
  return { port: server.host.split(':')[1], proxy };
}

const at = (port: string | undefined, name = 'api.vendor.example'): CheckedHost => ({
  host: `${name}:${port}`,
  purpose: name.startsWith('auth') ? 'sign-in' : 'AI',
});
const trusted = systemNetwork(authority.cert);

describe('checking hosts through a proxy', () => {
  it('reports connected if every host responds, with any status below 500', async () => {
    const { port, proxy } = await vendor(404);
    const hosts = [at(port), at(port, 'auth.vendor.example')];
    const results = await checkHosts(hosts, proxy.url, trusted);
    expect(results.map(({ outcome }) => outcome)).toEqual(['connected', 'connected']);
    expect(isConnected(results)).toBe(true);
    expect(proxy.asked.toSorted()).toEqual(hosts.map(({ host }) => `CONNECT ${host}`));
  });

  it('sends the login of the settings', async () => {
    const { port, proxy } = await vendor(200, { login: 'me:p@ss' });
    const url = proxy.url.replace('//', '//me:p%40ss@');
    expect(isConnected(await checkHosts([at(port)], url, trusted))).toBe(true);
    const [result] = await checkHosts([at(port)], proxy.url, trusted);
    expect(result).toMatchObject({ outcome: 'failed', remedy: 'proxy-login' });
  });

  it.each([
    ['api.vendor.example', 'ai-reply-empty'],
    ['auth.vendor.example', 'login-spins'],
  ])('names the remedy if the rules of the proxy reject %s', async (name, remedy) => {
    const { port, proxy } = await vendor(200, { refusal: 403 });
    const [result] = await checkHosts([at(port, name)], proxy.url, trusted);
    expect(result).toMatchObject({ outcome: 'failed', remedy });
  });

  it('names the remedy if the proxy is down', async () => {
    const { port, proxy } = await vendor();
    await proxy.close();
    const [result] = await checkHosts([at(port)], proxy.url, trusted);
    expect(result).toMatchObject({ outcome: 'failed', remedy: 'proxy-not-working' });
  });

  it('names the remedy for an untrusted certificate', async () => {
    const { port, proxy } = await vendor();
    const [result] = await checkHosts([at(port)], proxy.url, systemNetwork());
    expect(result).toMatchObject({ outcome: 'failed', remedy: 'tls-error' });
  });

  it('names the remedy for a failure of the vendor', async () => {
    const { port, proxy } = await vendor(503);
    const results = await checkHosts([at(port)], proxy.url, trusted);
    expect(results[0]).toMatchObject({ outcome: 'failed', remedy: 'vendor-failed' });
    expect(isConnected(results)).toBe(false);
  });
});

describe('the hosts of an editor', () => {
  it.each(editors)('can be requested: $name', (editor) => {
    const hosts = hostsOf(editor, ['added.example']).map(({ host }) => host);
    expect(hosts.length).toBeGreaterThan(1);
    for (const host of hosts) expect(new URL(`https://${host}`).host).toBe(host);
  });
});

const good: HostResult = {
  ...{ host: 'api.example', purpose: 'AI', outcome: 'connected', milliseconds: 412 },
};

describe('the table of a check', () => {
  it('aligns the table of a check, and ends it with Connected', () => {
    const slow: HostResult = { ...good, host: 'auth.vendor.example', purpose: 'sign-in' };
    const results: HostResult[] = [good, { ...slow, outcome: 'slow', milliseconds: 12_345 }];
    expect(checkTable(results).split('\n')).toEqual([
      'ok    api.example          AI       0.4 s',
      'slow  auth.vendor.example  sign-in   12 s',
      '',
      'A reply takes more than 2.0 s. Use a faster proxy, or one closer to you.',
      '',
      'Connected',
    ]);
  });

  it('prints each remedy of a check once, and ends with Not connected', () => {
    const failed: HostResult = {
      ...good,
      ...{ outcome: 'failed', milliseconds: 0, detail: 'why', remedy: 'tls-error' },
    };
    expect(checkTable([failed, failed]).split('\n')).toEqual([
      'FAILED  api.example  AI    why',
      'FAILED  api.example  AI    why',
      '',
      remedies['tls-error'],
      '',
      'Not connected',
    ]);
  });
});
