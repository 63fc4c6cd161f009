import { expect, it } from 'vitest';
import { bundleSizes, describeBundleSizes } from '../../../../builder/inputs/lock/bundle-sizes.ts';
import { lockSchema, unresolved } from '../../../../builder/inputs/lock/lock.ts';

const digest = `sha256:${'0'.repeat(64)}`;
const platform = (size: number | typeof unresolved) => ({ manifest: digest, config: digest, size });
const image = (size: number | typeof unresolved) => ({
  image: 'a/b:1',
  index: digest,
  platforms: { 'linux/amd64': platform(size), 'linux/arm64': platform(size) },
});
const lock = lockSchema.parse({
  version: 1,
  inputs: digest,
  created: '2026-01-01T00:00:00Z',
  images: { engine: image(2e9), ui: image(unresolved) },
  files: {},
  models: {
    'qwen3:8b': { manifest: digest, size: 5.2e9 },
    'qwen3:4b': { manifest: digest, size: 2.5e9 },
  },
});
const both = ['linux/amd64', 'linux/arm64'] as const;

it('returns the sizes of full bundles, with models in each of them and downloaded once', () => {
  const { total, download } = bundleSizes(lock, { platforms: both });
  expect(total).toBe(2 * (2e9 + 7.7e9));
  expect(download).toBe(2 * 2e9 + 7.7e9);
});

it('leaves out what a bundle does not contain', () => {
  const part = { platforms: ['linux/amd64'], images: ['engine'], models: ['qwen3:4b'] } as const;
  expect(bundleSizes(lock, part)).toMatchObject({ total: 4.5e9, models: { unknown: [] } });
});

it('prints the sizes, the unknown ones and the free disk', () => {
  const lines = describeBundleSizes(bundleSizes(lock, { platforms: both }), 100e9);
  expect(lines.join('\n')).toMatch(
    /full bundle for amd64 +at least 9\.7 GB +images at least 2\.0 GB, models 7\.7 GB\n.*arm64.*\nto download +at least 11\.7 GB.*\nfree disk +100 GB +cache and bundles need at least 31\.1 GB\nsizes not known yet: ui$/s,
  );
});

it('warns of a disk that is too small', () => {
  const lines = describeBundleSizes(bundleSizes(lock, { platforms: both }), 20e9);
  expect(lines.at(-1)).toContain('warning: the disk may be too small');
});
