import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digestOf } from '#contract/trust/digest.ts';
import { compareLocks, lockCost } from '../../../builder/diff/report-locks.ts';
import { unresolved } from '../../../builder/lock/lock.ts';
import { encodeLock } from '../../../builder/lock/lock-file.ts';
import { lockFor, someAppliance } from '../lock/fixture.ts';
import { lock } from './arbitrary.ts';
import { allChanges, mirrored } from './mirror.ts';

describe('the differences between two lock files', () => {
  it('finds no differences between equal lock files only, and mirrors them for swapped ones', () => {
    fc.assert(
      fc.property(lock, lock, (before, after) => {
        expect(allChanges(compareLocks({ before, after: before }))).toEqual([]);
        const changes = compareLocks({ before, after });
        expect(allChanges(changes).length === 0).toBe(encodeLock(before) === encodeLock(after));
        expect(changes).toEqual(mirrored(compareLocks({ before: after, after: before })));
      }),
    );
  });

  it('lists changed tags, digests, Node and models of two lock files by name', () => {
    const before = lockFor(someAppliance({}));
    const after = structuredClone(before);
    Object.assign(after.images.ui ?? {}, { image: 'team/ui:2', index: digestOf('new') });
    Object.assign(after.files.node?.['linux/arm64'] ?? {}, { sha256: 'f'.repeat(64) });
    after.models['qwen3:8b'] = { manifest: digestOf('model'), size: 5 };
    const changes = compareLocks({ before, after });
    const names = allChanges(changes).map(({ name }) => name);
    expect(names).toEqual(['ui', 'node linux/arm64', 'qwen3:8b']);
    expect(changes.components[0]).toMatchObject({
      before: { image: 'ghcr.io/open-webui/open-webui:main' },
      after: { image: 'team/ui:2', index: digestOf('new') },
    });
  });
});

const nothing = { items: 0, bytes: 0, unsized: 0 };
const platforms = ['linux/amd64', 'linux/arm64'] as const;

describe('the download sizes of what a lock file changes', () => {
  it('counts no download sizes for a lock file and itself', () => {
    fc.assert(
      fc.property(lock, (same) => {
        const none = Object.fromEntries(platforms.map((platform) => [platform, nothing]));
        expect(lockCost({ before: same, after: same })).toEqual({
          images: none,
          files: none,
          models: nothing,
        });
      }),
    );
  });

  it('counts the download sizes of lock file changes by platform', () => {
    const before = lockFor(someAppliance({ models: [{ name: 'a:1' }] }));
    const after = structuredClone(before);
    Object.assign(after.images.ui?.platforms['linux/arm64'] ?? {}, { manifest: digestOf('new') });
    Object.assign(after.images.engine?.platforms['linux/arm64'] ?? {}, {
      manifest: digestOf('newer'),
      size: unresolved,
    });
    Object.assign(after.files.node?.['linux/amd64'] ?? {}, { sha256: 'f'.repeat(64) });
    Object.assign(after.models['a:1'] ?? {}, { manifest: digestOf('model') });
    const { images, files, models } = lockCost({ before, after });
    expect(images['linux/amd64']).toEqual(nothing);
    expect(images['linux/arm64']).toEqual({ items: 2, bytes: 1000, unsized: 1 });
    expect(files['linux/amd64']).toEqual({ items: 1, bytes: 10, unsized: 0 });
    expect(files['linux/arm64']).toEqual(nothing);
    expect(models).toEqual({ items: 1, bytes: 100, unsized: 0 });
  });
});
