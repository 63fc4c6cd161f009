import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readProxies } from '#proxies/read-proxies.ts';

const good = '{name: a, type: socks5, server: a.example, port: 1}';
const many = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'landfall-bounds-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Imports a source in a process of its own. @returns proxies, entries left out, and memory in MB */
async function measure(text: string) {
  const file = join(folder, 'source');
  writeFileSync(file, text);
  const reader = new URL('../../../../appliance/shared/proxies/read-proxies.ts', import.meta.url);
  const script = `
    import { readFileSync } from 'node:fs';
    import { readProxies } from ${JSON.stringify(reader.href)};
    const { settings, report } = readProxies(readFileSync(${JSON.stringify(file)}), { file: 'x' });
    console.log(JSON.stringify({
      proxies: settings.proxies.length,
      leftOut: report.leftOut.proxy.count,
      ignored: report.ignored.count,
      rules: report.leftOut.rule.count,
      details: report.leftOut.proxy.details.length,
      megabytes: process.resourceUsage().maxRSS / 1024,
    }));`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    script,
  ]);
  return JSON.parse(stdout);
}

/** Peak memory in MB. Measured: 218 to 301, depending on the moment of the garbage collection. */
const max = 350;

// With quadratic time, each of these takes many minutes.
describe('a hostile source needs linear time and less than 350 MB', { timeout: 60_000 }, () => {
  it.each([
    ['maps of YAML', `proxies:\n  - ${good}\n${many(300_000, (n) => `- {a: ${n}}\n`)}`],
    ['lines of YAML', `proxies:\n- ${good}\n${many(300_000, (n) => `- a: ${n}\n`)}`],
    ['tags of YAML', `proxies:\n- ${good}\n${many(300_000, () => '- !x\n')}`],
    ['maps in brackets', `proxies: [\n${good},\n${many(300_000, () => '{a: 1},\n')}]\n`],
    [
      'objects of JSON',
      `{"outbounds":[{"type":"socks","tag":"a","server":"a.example","server_port":1}${many(300_000, () => ',{"a":1}')}]}`,
    ],
    ['links', `trojan://x@a.example:1#a\n${many(300_000, (n) => `ssr://${n}\n`)}`],
    ['types of links', `trojan://x@a.example:1#a\n${many(300_000, (n) => `a${n}://x\n`)}`],
  ])('with 300,000 bad entries: %s', async (_what, text) => {
    const { megabytes, ...found } = await measure(text);
    expect(found).toMatchObject({ proxies: 1, leftOut: 300_000, details: 1000 });
    expect(megabytes).toBeLessThan(max);
  });

  it('with 300,000 bad rules', async () => {
    const text = `proxies:\n  - ${good}\nrules:\n${many(300_000, (n) => `- a${n}\n`)}`;
    const { megabytes, ...found } = await measure(text);
    expect(found).toMatchObject({ proxies: 1, rules: 300_000 });
    expect(megabytes).toBeLessThan(max);
  });

  it.each([
    ['YAML', `proxies:\n  - ${good}\n${many(200_000, (n) => `k${n}: 1\n`)}`, 200_000],
    [
      'an object of JSON',
      `{"outbounds":[{"type":"socks","tag":"a","server":"a.example","server_port":1${many(200_000, (n) => `,"k${n}":1`)}}]}`,
      200_000,
    ],
    [
      'an entry of YAML',
      `proxies:\n  - ${good}\n  - {name: b, ${many(200_000, (n) => `k${n}: 1, `)}}\n`,
      0,
    ],
    [
      'an entry of a short YAML',
      `proxies:\n  - ${good}\n  - {name: b, type: socks5, server: a.example, port: 1, ${many(20_000, (n) => `k${n}: 1, `)}}\n`,
      20_000,
    ],
  ])('with 200,000 keys in %s', async (_what, text, ignored) => {
    const { megabytes, ...found } = await measure(text);
    expect(found).toMatchObject({ ignored });
    expect(found.proxies).toBeGreaterThan(0);
    expect(megabytes).toBeLessThan(max);
  });

  it('with 500 groups that contain each other', async () => {
    const names = (from: number) => many(1000, (n) => `g${(from + n + 1) % 500},`);
    const group = (n: number) => `- {name: g${n}, type: select, proxies: [${names(n)}]}\n`;
    const text = `proxies:\n  - ${good}\nproxy-groups:\n${many(500, group)}`;
    const { megabytes, ...found } = await measure(text);
    expect(found).toMatchObject({ proxies: 1 });
    expect(megabytes).toBeLessThan(max);
  });
});

describe('the time limit of an import', () => {
  it.each([
    ['YAML', `proxies:\n  - ${good}\n`],
    ['links', 'trojan://x@a.example:1#a\n'],
    ['JSON', '{"outbounds":[{"type":"socks","tag":"a","server":"a.example","server_port":1}]}'],
  ])('stops reading %s', (_what, text) => {
    const options = { file: 'x', deadline: Date.now() - 1 };
    expect(() => readProxies(Buffer.from(text), options)).toThrow(
      expect.objectContaining({ code: 'CONFIG_TOO_LARGE' }),
    );
  });
});

describe('a source with more entries than can be imported', () => {
  it.each([
    ['links', many(5003, (n) => `trojan://x@a.example:1#${n}\n`)],
    ['YAML', `proxies:\n${many(5003, (n) => `- ${good.replace('name: a', `name: a${n}`)}\n`)}`],
  ])('imports a source with too many entries up to the limit: %s', (_what, text) => {
    const { settings, report } = readProxies(Buffer.from(text), { file: 'x' });
    expect(settings.proxies).toHaveLength(5000);
    expect(report.leftOut.proxy.reasons()).toEqual([['more than 5000 proxies', 3]]);
  });
});
