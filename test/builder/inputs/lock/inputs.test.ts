import { describe, expect, it } from 'vitest';
import { driftOf, inputsChecksum, lockInputs } from '../../../../builder/inputs/lock/inputs.ts';
import { lockFor, someAppliance } from './fixture.ts';

describe('the inputs of a lock', () => {
  const checksum = (changes: Parameters<typeof someAppliance>[0]) =>
    inputsChecksum(lockInputs(someAppliance(changes)));

  it('exclude the version of the appliance', () => {
    expect(checksum({ version: '9.9.9' })).toBe(checksum({}));
  });

  it('exclude the order of components', () => {
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
  ])('include %s', (_what, changes) => {
    expect(checksum(changes)).not.toBe(checksum({}));
  });

  it('include the URLs of the Compose plugin for each platform', () => {
    const { files } = lockInputs(someAppliance({}));
    expect(files['compose-plugin']).toEqual({
      'linux/amd64': ['https://x.example/2.40.3/compose-x86_64'],
      'linux/arm64': ['https://x.example/2.40.3/compose-aarch64'],
    });
  });
});

describe('a proxy client', () => {
  const clients = {
    'sing-box': {
      version: '1.14.4',
      urls: ['https://x.example/v{version}/sing-box-{version}-linux-{arch}.tar.gz'],
    },
  };

  it('locks a proxy client as an input for each platform', () => {
    const { files } = lockInputs(someAppliance({ clients }));
    expect(files['sing-box']).toEqual({
      'linux/amd64': ['https://x.example/v1.14.4/sing-box-1.14.4-linux-amd64.tar.gz'],
      'linux/arm64': ['https://x.example/v1.14.4/sing-box-1.14.4-linux-arm64.tar.gz'],
    });
  });

  it('locks no proxy client by default, so existing locks stay valid', () => {
    expect(Object.keys(lockInputs(someAppliance({})).files)).toEqual(['compose-plugin', 'node']);
  });

  it('that was removed from the appliance is drift', () => {
    const lock = lockFor(someAppliance({ clients }));
    expect(driftOf(lockInputs(someAppliance({})), lock)).toEqual([
      'sing-box is locked, but not in the appliance',
    ]);
  });
});

describe('the drift between an appliance and its lock', () => {
  const drift = (changes: Parameters<typeof someAppliance>[0]) =>
    driftOf(lockInputs(someAppliance(changes)), lockFor(someAppliance({})));

  it('finds no drift if the lock was created from the appliance', () => {
    expect(drift({})).toEqual([]);
  });

  it('describes the drift between an appliance and its lock in sentences', () => {
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

  it('includes an added platform', () => {
    const lock = lockFor(someAppliance({ platforms: ['linux/amd64'] }));
    expect(driftOf(lockInputs(someAppliance({})), lock)).toContain(
      'engine is not locked for linux/arm64',
    );
  });

  it('includes a file from another source', () => {
    expect(drift({ node: { version: '26.0.0' } })).toEqual([
      'node is not locked for its current URLs',
    ]);
  });

  it('includes any other change of the checksum', () => {
    const lock = { ...lockFor(someAppliance({})), inputs: `sha256:${'0'.repeat(64)}` };
    expect(driftOf(lockInputs(someAppliance({})), lock)).toEqual([
      'the lock was created from another configuration',
    ]);
  });
});
