import { describe, expect, it } from 'vitest';
import { expectSpaceForCopy, shortageOf } from '../../../../appliance/server/chats/data-size.ts';

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
