import { readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { replaceLink } from '#files/replace-link.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { watchSyncs } from './on-disk.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('replacing a link', () => {
  it.each([
    ['a file', { link: 'a file' }],
    ['a missing link', {}],
    ['the temporary file of an earlier attempt', { 'link.landfall-new': 'half' }],
  ])('replaces %s and syncs the folder', async (_, files) => {
    const { root } = TemporaryHost.with({ ...files, any: '' });
    const seen = await watchSyncs(join(root, 'any'), () => readlinkSync(join(root, 'link')));
    await replaceLink(join(root, 'link'), 'target');
    expect(seen).toEqual(['target']);
    expect(readdirSync(root).sort()).toEqual(['any', 'link']);
  });

  it('replaces another link', async () => {
    const { root } = TemporaryHost.with({});
    symlinkSync('old', join(root, 'link'));
    await replaceLink(join(root, 'link'), 'new');
    expect(readlinkSync(join(root, 'link'))).toBe('new');
  });
});
