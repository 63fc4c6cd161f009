import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { formatError } from '#contract/text/error.ts';
import { renderMihomo } from '#proxies/clash/write.ts';
import { type ProxySettings, settingsSchema } from '#proxies/model/settings.ts';
import { renderSingBox } from '#proxies/sing-box/write.ts';
import { named, readCases } from './cases.ts';
import { generatedCases } from './generated.ts';
import { importCase, outcomeOf } from './outcome.ts';

const cases = readCases();
const imported = cases.filter(({ isImported }) => isImported);
const rejected = cases.filter(({ isImported }) => !isImported);

describe('the corpus', () => {
  it('contains more than 200 cases, many of them valid and many broken', () => {
    expect(cases.length).toBeGreaterThan(200);
    expect(imported.length).toBeGreaterThan(100);
    expect(rejected.length).toBeGreaterThan(100);
  });

  it('contains every type of proxy, and a name for each case', () => {
    const types = imported.flatMap(({ expected }) => expected.map((line) => line.split(' ')[0]));
    expect(types).toEqual(
      expect.arrayContaining(['ss', 'vmess', 'vless', 'trojan', 'hysteria2', 'http', 'socks5']),
    );
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
  });
});

describe('is imported', () => {
  it.each(named(imported))('%s', (_name, each) => {
    expect(outcomeOf(importCase(each), each.expected)).toEqual(each.expected);
  });
});

describe('is rejected', () => {
  it.each(named(rejected))('%s', (_name, each) => {
    const found = importCase(each);
    expect(outcomeOf(found, each.expected)).toEqual(each.expected);
    if (found instanceof LandfallError) expect(formatError(found)).not.toContain('S3cr3t');
  });
});

describe('is rejected within limits of time and memory', () => {
  it.each(generatedCases)('%s', (_what, text, code, message) => {
    const found = importCase({ bytes: Buffer.from(text), skip: false });
    if (!(found instanceof LandfallError)) return expect.unreachable('it was imported');
    expect(found.code).toBe(code);
    expect(found.problems[0]?.message ?? found.message).toContain(message);
  });
});

/** Drops undefined fields, which JSON does not have. */
const plain = (settings: ProxySettings) => JSON.parse(JSON.stringify(settings));

describe('is exported so that an import finds the same', () => {
  it.each(named(imported))('%s', (_name, each) => {
    const found = importCase(each);
    if (found instanceof LandfallError) throw found;
    const settings = plain(found.settings);
    // The file with the imported proxies is validated with this schema when it is read.
    expect(plain(settingsSchema.parse(settings))).toEqual(settings);
    for (const render of [renderMihomo, renderSingBox]) {
      const again = importCase({ bytes: Buffer.from(render(found.settings)), skip: false });
      if (again instanceof LandfallError) throw again;
      expect(plain(again.settings)).toEqual(settings);
    }
  });
});
