import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { moveIntoPlace } from '#files/move-into-place.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { watchSyncs } from './on-disk.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('moving a file into place', () => {
  it('replaces the old file, and syncs before and after', async () => {
    const { root } = TemporaryHost.with({ file: 'old', 'file.landfall-new': 'new' });
    const path = join(root, 'file');
    const seen = await watchSyncs(path, () => readFileSync(path, 'utf8'));
    await moveIntoPlace(`${path}.landfall-new`, path);
    expect(seen).toEqual(['old', 'new']);
    expect(readdirSync(root)).toEqual(['file']);
  });
});
