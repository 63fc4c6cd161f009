import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digestOf } from '#contract/trust/digest.ts';
import { compareLocks } from '../../../../builder/bundle/diff/report-locks.ts';
import { encodeLock } from '../../../../builder/inputs/lock/lock-file.ts';
import { lockFor, someAppliance } from '../../inputs/lock/fixture.ts';
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
