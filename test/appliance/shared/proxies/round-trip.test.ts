import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderMihomo } from '#proxies/clash/write.ts';
import type { ProxySettings } from '#proxies/model/settings.ts';
import { proxyTypes } from '#proxies/protocols/registry.ts';
import { readProxies } from '#proxies/read-proxies.ts';
import { renderSingBox } from '#proxies/sing-box/write.ts';
import { fuzzRuns } from '../../../simulator/fuzz.ts';
import { settingsArbitrary } from './settings-arbitrary.ts';

/** Drops undefined fields, which JSON does not have. */
const plain = (settings: ProxySettings) => JSON.parse(JSON.stringify(settings));

const read = (text: string) =>
  plain(readProxies(Buffer.from(text), { file: 'exported', strict: true }).settings);

describe('exported settings', () => {
  it.each([
    ['mihomo', renderMihomo],
    ['sing-box', renderSingBox],
  ])('exports settings that are the same after an import: %s', (_format, render) => {
    const types = new Set<string>();
    fc.assert(
      fc.property(settingsArbitrary, (settings) => {
        for (const { type } of settings.proxies) types.add(type);
        expect(read(render(settings))).toEqual(plain(settings));
      }),
      { numRuns: fuzzRuns(300) },
    );
    expect([...types].sort()).toEqual([...proxyTypes].sort());
  });
});
