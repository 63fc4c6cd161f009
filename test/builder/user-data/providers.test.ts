import { describe, expect, it } from 'vitest';
import { findProvider, providers } from '../../../builder/user-data/providers.ts';
import { hardLimit, renderUserData } from '../../../builder/user-data/render.ts';
import { inputsWith } from './rendered.ts';

describe('the table of providers', () => {
  const rows = Object.entries(providers);

  it('contains the most common providers', () => {
    expect(Object.keys(providers)).toEqual(
      expect.arrayContaining(['aws', 'azure', 'digitalocean', 'gcp', 'hetzner', 'linode', 'ovh']),
    );
  });

  it.each(rows)('%s accepts plain cloud-config up to the common limit', (_name, provider) => {
    expect(provider.formats).toContain('cloud-config');
    expect(provider.limit).toBeGreaterThanOrEqual(hardLimit);
    expect(provider.source).not.toBe('');
  });
});

describe('a cloud provider', () => {
  it('finds a cloud provider by its short name, and prints its note as a warning', () => {
    const { warnings } = renderUserData(inputsWith({ provider: 'huawei' }));
    expect(warnings).toContainEqual(expect.stringMatching(/^Huawei Cloud: .*password/));
  });

  it.each(['amazon', 'Hetzner', '', 'constructor', '__proto__'])('%j is unknown', (name) => {
    expect(() => findProvider(name)).toThrow(
      expect.objectContaining({
        code: 'USER_DATA_PROVIDER',
        hint: expect.stringContaining('aws, azure, gcp'),
      }),
    );
  });
});
