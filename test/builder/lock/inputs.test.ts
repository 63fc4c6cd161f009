import { describe, expect, it } from 'vitest';
import { driftOf, inputsChecksum, lockInputs } from '../../../builder/lock/inputs.ts';
import { lockFor, someAppliance } from './fixture.ts';

describe('what a lock depends on', () => {
  const checksum = (changes: Parameters<typeof someAppliance>[0]) =>
    inputsChecksum(lockInputs(someAppliance(changes)));

  it('is not the version of the appliance', () => {
    expect(checksum({ version: '9.9.9' })).toBe(checksum({}));
  });

  it('is not the order in which components are written', () => {
    const { engine, ui } = someAppliance({}).components;
    if (!engine || !ui) throw new Error('the fixture lost a component');
    expect(checksum({ components: { ui, engine } })).toBe(checksum({ components: { engine, ui } }));
  });

  it.each([
    ['an image', { components: { engine: { image: 'other:1', optional: false } } }],
    ['a platform', { platforms: ['linux/arm64' as const] }],
    ['the version of Node', { node: { version: '24.0.0' } }],
    [
      'the Compose plugin',
      { compose_plugin: { version: '9.0.0', urls: ['https://x.example/{version}'] } },
    ],
  ])('is %s', (_what, changes) => {
    expect(checksum(changes)).not.toBe(checksum({}));
  });

  it('includes where the Compose plugin is, for each machine', () => {
    const { files } = lockInputs(someAppliance({}));
    expect(files['compose-plugin']).toEqual({
      'linux/amd64': ['https://x.example/2.40.3/compose-x86_64'],
      'linux/arm64': ['https://x.example/2.40.3/compose-aarch64'],
    });
  });
});

describe('the drift between an appliance and its lock', () => {
  const drift = (changes: Parameters<typeof someAppliance>[0]) =>
    driftOf(lockInputs(someAppliance(changes)), lockFor(someAppliance({})));

  it('is nothing when the lock was made from it', () => {
    expect(drift({})).toEqual([]);
  });

  it('is described in words', () => {
    const components = {
      engine: { image: 'ollama/ollama:2', optional: false },
      lobe: { image: 'lobe:1', optional: true },
    };
    expect(drift({ components })).toEqual([
      'engine is ollama/ollama:2, but locked as ollama/ollama:1',
      'ui is locked, but not in the appliance',
      'lobe is not locked',
    ]);
  });

  it('is seen when a platform was added', () => {
    const lock = lockFor(someAppliance({ platforms: ['linux/amd64'] }));
    expect(driftOf(lockInputs(someAppliance({})), lock)).toContain(
      'engine is not locked for linux/arm64',
    );
  });

  it('is seen when a file comes from elsewhere', () => {
    expect(drift({ node: { version: '26.0.0' } })).toEqual([
      expect.stringContaining('node for linux/amd64'),
      expect.stringContaining('node for linux/arm64'),
    ]);
  });

  it('is seen when the checksum alone was changed', () => {
    const lock = { ...lockFor(someAppliance({})), inputs: `sha256:${'0'.repeat(64)}` };
    expect(driftOf(lockInputs(someAppliance({})), lock)).toEqual([
      'the lock was created from another configuration',
    ]);
  });
});
