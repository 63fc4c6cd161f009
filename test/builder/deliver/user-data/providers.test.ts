import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { consoles } from '../../../../builder/deliver/user-data/consoles.ts';
import {
  defaultFormat,
  findProvider,
  providers,
  smallestLimit,
} from '../../../../builder/deliver/user-data/providers.ts';
import { renderUserData } from '../../../../builder/deliver/user-data/render.ts';
import { inputsWith } from './rendered.ts';

describe('the table of providers', () => {
  const rows = Object.entries(providers);

  it('contains the most common providers', () => {
    expect(Object.keys(providers)).toEqual(
      expect.arrayContaining(['aws', 'azure', 'digitalocean', 'gcp', 'hetzner', 'linode', 'ovh']),
    );
  });

  it('accepts cloud-config of 16 KiB at every provider that has user-data', () => {
    expect(smallestLimit('cloud-config')).toBe(16_384);
  });

  it.each(rows)('names the source of the limits of %s, and a format', (_name, provider) => {
    expect(Object.keys(provider.limits)).toContain(defaultFormat(provider));
    expect(provider.source).not.toBe('');
  });

  it('limits a script to what a command assistant accepts after base64', () => {
    expect(findProvider('alibaba').limits.shell).toBe(13_824);
    expect(findProvider('tencent').limits.shell).toBe(49_152);
    expect(smallestLimit('shell')).toBe(13_824);
  });
});

describe('the consoles of providers', () => {
  it('lists the console of every provider', () => {
    expect(Object.keys(consoles).sort()).toEqual(Object.keys(providers).sort());
  });

  it.each([
    ['docs/providers.md', 'en'],
    ['docs/zh/providers.md', 'zh'],
  ] as const)('describes them as %s does', (page, language) => {
    const text = readFileSync(new URL(`../../../../${page}`, import.meta.url), 'utf8');
    const plain = text.replaceAll(/[*`]/g, '');
    for (const { field, script = field, image, command = '' } of Object.values(consoles)) {
      for (const fact of [field[language], script[language], image[language], command]) {
        expect(plain).toContain(fact.replaceAll(/[*`]/g, ''));
      }
    }
  });
});

describe('a cloud provider', () => {
  it('finds a cloud provider by its short name, and prints its note as a warning', () => {
    const { warnings } = renderUserData(inputsWith({ provider: 'huawei' }));
    expect(warnings).toContainEqual(expect.stringMatching(/^Huawei Cloud: .*password/));
  });

  it.each([
    ['腾讯云轻量', 'lighthouse'],
    ['阿里云轻量', 'swas'],
    ['腾讯云', 'tencent'],
    ['Amazon', 'aws'],
  ])('finds %s by the name that its users know', (name, short) => {
    expect(findProvider(name)).toBe(providers[short]);
  });

  it('renders a script for a provider without user-data, and says where it runs', () => {
    const { format, warnings } = renderUserData(inputsWith({ provider: 'lighthouse' }));
    expect(format).toBe('shell');
    expect(warnings).toContainEqual(expect.stringContaining('自动化助手'));
    expect(() =>
      renderUserData(inputsWith({ provider: 'lighthouse', format: 'cloud-config' })),
    ).toThrow(expect.objectContaining({ code: 'USER_DATA_PROVIDER', hint: 'Choose from: shell.' }));
  });

  it.each(['amazom', '', 'constructor', '__proto__'])('%j is unknown', (name) => {
    expect(() => findProvider(name)).toThrow(
      expect.objectContaining({
        code: 'USER_DATA_PROVIDER',
        hint: expect.stringContaining('aws, azure, gcp'),
      }),
    );
  });
});
