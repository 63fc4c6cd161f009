import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setLanguage } from '#contract/text/language.ts';
import { routeCommand } from '../../../../builder/commands/route/route.ts';
import { CertificateAuthority } from '../../../faulty-server/certificates.ts';
import { serve, status } from '../../../faulty-server/faults.ts';
import { FaultyServer } from '../../../faulty-server/faulty-server.ts';
import { runCommand, terminalIn } from '../terminal.ts';

const link = 'trojan://S3cr3t@hk.example:443#HK';
const token = 'S3cr3t-t0ken';
const authority = new CertificateAuthority();

let home: string;
let server: FaultyServer;
beforeAll(async () => {
  server = await FaultyServer.start({}, { tls: authority.issue() });
});
afterAll(() => server.close());
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'landfall-home-'));
  writeFileSync(join(home, 'ca.pem'), authority.cert);
  server.answer({
    [`/${token}`]: ({ response }) => {
      response.writeHead(200, {
        'subscription-userinfo': 'upload=0; download=1500000000; total=10000000000; expire=1',
      });
      response.end(Buffer.from(link).toString('base64'));
    },
  });
});
afterEach(() => {
  setLanguage('en');
  rmSync(home, { recursive: true });
});

const file = () => join(home, '.config/landfall/proxies.json');
const stored = () => JSON.parse(readFileSync(file(), 'utf8'));

async function route(args: readonly string[], input = '') {
  const terminal = terminalIn(home, { REQUESTS_CA_BUNDLE: join(home, 'ca.pem') }, input);
  await runCommand(routeCommand, terminal, ...args);
  return { out: terminal.out(), err: terminal.err() };
}

describe('landfall route import', () => {
  it('imports a file, and stores it so that only the user can read it', async () => {
    writeFileSync(join(home, 'links.txt'), link);
    const { out } = await route(['import', 'links.txt']);
    expect(out).toContain('proxies    1 (1 trojan)');
    expect(out).not.toContain('S3cr3t');
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(stored()).toMatchObject({
      version: 1,
      source: { type: 'file' },
      settings: { proxies: [{ name: 'HK' }] },
    });
  });

  it.each([[['import', '-']], [['import']]])('imports standard input: %j', async (args) => {
    await route(args, link);
    expect(stored().settings.proxies).toHaveLength(1);
  });

  it('fetches a subscription whose URL is on standard input, and shows its headers', async () => {
    const { out, err } = await route(['import'], `${server.url(`/${token}`)}\n`);
    expect(out).toContain(`source     subscription of ${server.host}`);
    expect(out).toContain('traffic    1.5 GB of 10.0 GB');
    expect(out).toContain('expires    1970-01-01 (expired)');
    expect(out + err).not.toContain(token);
    expect(stored().source.url).toBe(server.url(`/${token}`).href);
  });

  it('says how to be another client if the provider sends no proxies to this one', async () => {
    const hint = expect.stringContaining('add --user-agent with the name of that client');
    for (const answer of [status(403), serve(Buffer.from('<html></html>'))]) {
      server.answer({ [`/${token}`]: answer });
      const run = route(['import'], server.url(`/${token}`).href);
      await expect(run).rejects.toMatchObject({ hint });
    }
    server.answer({
      [`/${token}`]: ({ request, response }) => {
        const isKnown = request.headers['user-agent'] === 'clash.meta';
        response.writeHead(isKnown ? 200 : 403).end(link);
      },
    });
    const { out } = await route(
      ['import', '--user-agent', 'clash.meta'],
      server.url(`/${token}`).href,
    );
    expect(out).toContain('proxies    1 (1 trojan)');
  });

  it('shows all but names and keys in Chinese', async () => {
    setLanguage('zh');
    const insecure = link.replace('#HK', '?allowInsecure=1&foo=1#JP');
    const text = `${link}\n${insecure}\nssr://x\n`;
    const { out, err } = await route(['import', '-', '--details'], text);
    expect(out.replaceAll(home, '')).toBe(`节点    2（2 trojan）
跳过    1：1 × 不支持的链接类型 "ssr"
忽略    1：1 × 不认识的键 "foo"
警告    2 个节点中有 1 个不检查证书
策略组  1
规则    2
来源    标准输入
保存在  /.config/landfall/proxies.json
`);
    expect(err).toMatch(
      /^跳过：\n {2}标准输入:3 {2}不支持的链接类型 "ssr"（可用：.*）\n忽略或修改：/,
    );
    const { out: fetched } = await route(['import'], server.url(`/${token}`).href);
    expect(fetched).toContain(`来源    ${server.host} 的订阅\n流量    已用 1.5 GB，共 10.0 GB\n`);
    expect(fetched).toContain('到期    1970-01-01（已到期）');
    const providers = 'proxy-providers: {air: {type: http, url: https://air.example/S3cr3t}}';
    const failed = await route(['import', '-'], providers).catch((error: unknown) => error);
    expect(failed).toMatchObject({
      message: '标准输入 是没有节点、只有代理集合（proxy-providers）的文件',
      hint: expect.stringContaining('请导入其中的订阅链接'),
    });
    expect(String(failed)).not.toContain('S3cr3t');
    await expect(route(['import', '-'], 'ssr://x\nsnell://x')).rejects.toMatchObject({
      problems: [{ message: '不支持的链接类型 "ssr"' }, { message: '不支持的链接类型 "snell"' }],
    });
    expect((await route(['show'])).out).toBe('代理           无\n当前 shell     未使用\n');
  });

  it('warns if the URL is an argument', async () => {
    const { err } = await route(['import', server.url(`/${token}`).href]);
    expect(err).toContain('warning: other users of this machine can see the URL');
  });

  it('prints the result as JSON, without secrets', async () => {
    const { out } = await route(['import', '--json'], server.url(`/${token}`).href);
    expect(JSON.parse(out)).toMatchObject({
      ...{ format: 'base64', proxies: { trojan: 1 }, groups: 1, rules: 2, source: 'subscription' },
      ...{ subscription: { download: 1_500_000_000 }, unverified: 0, file: file() },
      leftOut: { proxy: { count: 0, reasons: {}, details: [] }, rule: { count: 0 } },
      ignored: { count: 0 },
    });
    expect(out).not.toContain('S3cr3t');
  });

  it('keeps the proxies of the last import when the fetch or the import fails', async () => {
    await route(['import'], server.url(`/${token}`).href);
    const before = readFileSync(file(), 'utf8');
    server.answer({ [`/${token}`]: status(404) });
    await expect(route(['import', '--refresh'])).rejects.toMatchObject({ code: 'HTTP_STATUS' });
    await expect(route(['import'], 'ssr://x')).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    expect(readFileSync(file(), 'utf8')).toBe(before);
  });

  it('fetches the imported subscription again with --refresh', async () => {
    await route(['import'], server.url(`/${token}`).href);
    rmSync(join(home, 'links.txt'), { force: true });
    expect((await route(['import', '--refresh'])).out).toContain('subscription of');
  });

  it('fetches it again as the client of the import, or as another one', async () => {
    const clients = () => server.seen().map(({ headers }) => headers['user-agent']);
    await route(['import', '--user-agent', 'clash.meta'], server.url(`/${token}`).href);
    await route(['import', '--refresh']);
    await route(['import', '--refresh', '--user-agent', 'v2rayN']);
    await route(['import', '--refresh']);
    expect(clients().slice(-4)).toEqual(['clash.meta', 'clash.meta', 'v2rayN', 'v2rayN']);
  });

  it('rejects --refresh without a subscription, or with a source', async () => {
    await expect(route(['import', '--refresh'])).rejects.toMatchObject({ code: 'CONFIG_MISSING' });
    await expect(route(['import', '--refresh', 'x'])).rejects.toMatchObject({ code: 'USAGE' });
  });

  it('leaves out what it cannot import, and counts it by reason in at most ten lines', async () => {
    const insecure = link.replace('#HK', '?allowInsecure=1&ech=x&foo=1#JP');
    const text = `${link}\n${insecure}\n${link}\nssr://x\nssr://y\nsnell://z\n`;
    const { out, err } = await route(['import', '-'], text);
    expect(out).toContain('proxies    3 (3 trojan)');
    expect(out).toContain(
      'left out   3: 2 × unknown type of link "ssr", 1 × unknown type of link "snell"',
    );
    expect(out).toContain('ignored    3: 1 × unknown key "ech", 1 × unknown key "foo"');
    expect(out).toContain('warning    certificate not checked: 1 of 3 proxies');
    expect(out.trimEnd().split('\n').length).toBeLessThanOrEqual(10);
    expect(err).toBe('');
  });

  it('lists every entry that it leaves out with --details, and counts them with --json', async () => {
    const { err } = await route(['import', '-', '--details'], `${link}\nssr://x\n`);
    expect(err).toContain('standard input:2  unknown type of link "ssr"');
    const { out } = await route(['import', '-', '--json'], `${link}\nssr://x\n`);
    expect(JSON.parse(out).leftOut.proxy).toMatchObject({
      ...{ count: 1, reasons: { 'unknown type of link "ssr"': 1 } },
      details: [{ file: 'standard input', line: 2 }],
    });
  });

  it('fails with --strict, and if no proxy can be imported', async () => {
    const strict = route(['import', '-', '--strict'], `${link}\nssr://x\n`);
    await expect(strict).rejects.toMatchObject({ code: 'CONFIG_INVALID', problems: [{ line: 2 }] });
    await expect(route(['import', '-'], 'ssr://x\n')).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    });
  });

  it('rejects a missing file and a folder', async () => {
    await expect(route(['import', 'x.yaml'])).rejects.toMatchObject({ code: 'FILE_MISSING' });
    await expect(route(['import', '.'])).rejects.toMatchObject({ code: 'FILE_ACCESS' });
  });

  it('keeps imported proxies after landfall route off', async () => {
    await route(['import'], link);
    await route(['off']);
    expect(stored().version).toBe(1);
  });
});

describe('landfall route export', () => {
  it.each([
    ['mihomo', 'name: "HK"', 'mihomo -f'],
    ['sing-box', '"tag": "HK"', 'sing-box run -c'],
  ])('writes a configuration of %s that only the user can read', async (format, text, run) => {
    await route(['import'], link);
    const { out } = await route(['export', '--format', format, '--output', 'out/config']);
    expect(out).toContain(run);
    expect(readFileSync(join(home, 'out/config'), 'utf8')).toContain(text);
    expect(statSync(join(home, 'out/config')).mode & 0o777).toBe(0o600);
  });

  it('prints it on request', async () => {
    await route(['import'], link);
    expect((await route(['export', '--format', 'mihomo', '--output', '-'])).out).toContain(
      'proxies:',
    );
  });

  it('exports allow-lan of a source only with --allow-lan, and says so', async () => {
    await route(
      ['import'],
      `allow-lan: true\nproxies: [{name: a, type: socks5, server: a.example, port: 1}]\n`,
    );
    const args = ['export', '--format', 'mihomo', '--output', '-'];
    const closed = await route(args);
    expect(closed.out).toContain('allow-lan: false');
    expect(closed.err).toContain('The source has allow-lan: true.');
    const open = await route([...args, '--allow-lan']);
    expect(open.out).toContain('allow-lan: true');
    expect(open.err).toBe('');
  });

  it('rejects a missing and an invalid import', async () => {
    const args = ['export', '--format', 'mihomo', '--output', '-'];
    await expect(route(args)).rejects.toMatchObject({ code: 'CONFIG_MISSING' });
    await route(['import'], link);
    writeFileSync(file(), '{"password": "S3cr3t"}');
    await expect(route(args)).rejects.toThrow(/^\S+ is not valid$/);
  });
});
