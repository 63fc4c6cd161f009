import { linkSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  copySpace,
  expectSpaceForCopy,
  shortageOf,
} from '../../../../appliance/server/chats/data-size.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const upload = '0b0e6ba5-3a5c-4f1e-9d6e-6d5a1f0c2b7a_notes.txt';

/** A server whose volume has these files, with their sizes. */
function serverWith(sizes: Readonly<Record<string, number>>): TemporaryHost {
  const files = Object.entries(sizes).map(([path, size]) => [`v/_data/${path}`, 'x'.repeat(size)]);
  const host: TemporaryHost = TemporaryHost.with(Object.fromEntries(files), {
    'docker volume inspect': () => JSON.stringify(host.path('v/_data')),
  });
  return host;
}

describe('the size of the copy', () => {
  it('counts every file once that the copy does not link: all but uploads of users', async () => {
    const host = serverWith({
      'webui.db': 1000,
      'cache/uploads/picture': 200,
      [`cache/uploads/${upload}`]: 30,
      'uploads/model.gguf': 4,
      [`uploads/${upload}`]: 50_000,
    });
    expect((await copySpace(host)).size).toBe(1234);
  });

  it('counts a hard link again, because the copy is a file of its own, and follows no link', async () => {
    const host = serverWith({ 'webui.db': 1000 });
    linkSync(host.path('v/_data/webui.db'), host.path('v/_data/again.db'));
    symlinkSync('/usr', host.path('v/_data/elsewhere'));
    symlinkSync('webui.db', host.path('v/_data/link.db'));
    expect((await copySpace(host)).size).toBe(2000);
  });

  it('counts nothing without a volume', async () => {
    const host = TemporaryHost.with({}, { 'docker volume inspect': 1 });
    expect(await copySpace(host)).toEqual({ size: 0, free: Number.MAX_SAFE_INTEGER });
  });
});

describe('the space for an update', () => {
  it('fits if a reserve stays free beside the copy and the release', () => {
    expect(shortageOf({ size: 1e9, free: 2e9 })).toBeUndefined();
    expect(shortageOf({ size: 1e9, free: 4e9 }, 2e9)).toBeUndefined();
  });

  it('names what the copy of the chats needs', () => {
    expect(shortageOf({ size: 1e9, free: 1.2e9 })).toEqual({
      en: 'the copy of the chats needs 1.0 GB, and 537 MB must stay free, but 1.2 GB are free',
      zh: '复制对话数据需要 1.0 GB，另需保留 537 MB，但剩余空间只有 1.2 GB',
    });
  });

  it('names what the release needs', () => {
    expect(shortageOf({ size: 1e9, free: 3e9 }, 2e9)?.en).toBe(
      'the update needs 3.5 GB (up to 2.0 GB for the release, 1.0 GB for the copy of the chats, 537 MB in reserve), but 3.0 GB are free',
    );
  });

  it('refuses a copy that does not fit', () => {
    expect(() => expectSpaceForCopy({ size: 1e9, free: 1.2e9 })).toThrow(
      expect.objectContaining({ code: 'DISK_FULL' }),
    );
  });
});
