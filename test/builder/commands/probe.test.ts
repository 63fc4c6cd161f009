import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { landfallProgram } from '../../../builder/bin/program.ts';
import { probeCommand } from '../../../builder/commands/probe.ts';
import { CertificateAuthority } from '../../faulty-server/certificates.ts';
import { status } from '../../faulty-server/faults.ts';
import { FaultyServer } from '../../faulty-server/faulty-server.ts';
import { HttpProxy } from '../../faulty-server/http-proxy.ts';
import { runCommand, terminalIn } from './terminal.ts';

const closed = 'http://127.0.0.1:9/';
const authority = new CertificateAuthority();

let folder: string;
let provider: FaultyServer;
let echo: FaultyServer;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-probe-'));
  provider = await FaultyServer.start({ '/v1/models': status(401) }, { tls: authority.issue() });
  echo = await FaultyServer.start(({ response }) => void response.end('203.0.113.5'));
  await writeFile(join(folder, 'ca.pem'), authority.cert);
});
afterEach(async () => {
  await Promise.all([provider.close(), echo.close()]);
  await rm(folder, { recursive: true });
});

async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const terminal = terminalIn(folder, env);
  const all = [...args, '--echo', echo.url('/ip').href, '--resolver', closed];
  await runCommand(probeCommand, terminal, ...all);
  return { out: terminal.out(), err: terminal.err(), code: terminal.exitCode() };
}

describe('landfall probe on a laptop', () => {
  it('prints an aligned table that ends with the verdict', async () => {
    const { out, err, code } = await run([provider.origin, '--ca', 'ca.pem']);
    const [head = '', row = ''] = out.split('\n');
    expect(row.indexOf('reachable (status 401)')).toBe(head.indexOf('result'));
    expect(row).toMatch(/^127\.0\.0\.1:\d+ +direct( +\d+ ms){4} +reachable/);
    expect(out).toMatch(/\negress, direct +203\.0\.113\.5\n/);
    expect(out).toMatch(/\nverdict +direct access works; no proxy is needed\n$/);
    expect(err).toBe('');
    expect(code).toBe(0);
  });

  it('does not trust a provider without --ca, and exits with the code of the network', async () => {
    const { out, code } = await run([provider.origin]);
    expect(out).toContain('FAILED: untrusted certificate authority');
    expect(code).toBe(5);
  });

  it('prints one object with --json', async () => {
    const { out } = await run([provider.origin, '--ca', 'ca.pem', '--json']);
    expect(JSON.parse(out)).toMatchObject({
      providers: [
        {
          name: provider.host,
          url: `${provider.origin}/v1/models`,
          dns: { state: 'clean', system: ['127.0.0.1'] },
          direct: { status: 401, steps: [{ name: 'dns' }, { name: 'tcp' }, {}, { name: 'http' }] },
        },
      ],
      egress: { direct: { address: '203.0.113.5' } },
      verdict: { kind: 'direct', providers: [provider.host], polluted: [], triedProxy: false },
    });
  });

  it('compares with a proxy, whose login it does not print', async () => {
    const proxy = await HttpProxy.start({ login: 'me:s3cret', names: { 'api.test': '127.0.0.1' } });
    const secure = await FaultyServer.start(status(401), {
      tls: authority.issue({ names: ['api.test'] }),
    });
    const option = ['--proxy', proxy.url.replace('//', '//me@'), '--ca', 'ca.pem'];
    const url = `https://api.test:${secure.url('/').port}`;
    const { out, code } = await run([url, ...option], { LANDFALL_PROXY_PASSWORD: 's3cret' });
    expect(out).toMatch(/\n +proxy +\d+ ms +\d+ ms +\d+ ms +reachable \(status 401\)\n/);
    expect(out).toMatch(/\negress by proxy +203\.0\.113\.5\n/);
    expect(out).toMatch(/\nverdict +the proxy works; use it for api\.test:\d+\n$/);
    expect(out).not.toContain('s3cret');
    expect(code).toBe(0);
    await Promise.all([proxy.close(), secure.close()]);
  });

  it('probes the providers of site.yaml', async () => {
    const key =
      'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOfVscOQjj0xpAv9TsSsXHMgaePCX3vFCzV9Y1yHldL8 me';
    const site = `release: [https://e.org/]\nadmin: { ssh_keys: ["${key}"] }
providers: { mine: { base_url: "${provider.origin}/v1" } }\n`;
    await writeFile(join(folder, 'site.yaml'), site);
    const { out } = await run(['--ca', 'ca.pem']);
    expect(out).toMatch(/\nmine +direct .* reachable/);
  });

  it('rejects a site that does not exist, and an invalid URL', async () => {
    await expect(run(['--site', 'none.yaml'])).rejects.toMatchObject({ code: 'CONFIG_MISSING' });
    await expect(run(['api.openai.com'])).rejects.toMatchObject({ code: 'USAGE' });
  });
});

describe('landfall probe hub on a laptop', () => {
  it('uses the token of HF_TOKEN, and its own options', async () => {
    const hub = await FaultyServer.start(({ response }) => void response.end('[]'));
    const terminal = terminalIn(folder, { HF_TOKEN: 'hf_token' });
    const program = landfallProgram(terminal.context);
    const options = ['--url', hub.origin, '--proxy', closed, '--json'];
    await program.parseAsync(['probe', 'hub', 'org/model', ...options], { from: 'user' });
    expect(JSON.parse(terminal.out())).toMatchObject({ direct: { outcome: 'answered' } });
    expect(hub.seen()[0]?.headers.authorization).toBe('Bearer hf_token');
    expect(terminal.exitCode()).toBe(0);
    await hub.close();
  });

  it.each([
    ['without a token', {}],
    ['with a token of two lines', { HF_TOKEN: 'hf_a\r\nx: y' }],
  ])('fails %s', async (_what, env) => {
    const terminal = terminalIn(folder, env);
    const program = landfallProgram(terminal.context);
    const call = program.parseAsync(['probe', 'hub', '--url', closed], { from: 'user' });
    await expect(call).rejects.toMatchObject({ code: 'USAGE' });
  });
});
