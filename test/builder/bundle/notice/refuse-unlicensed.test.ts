import { describe, expect, it } from 'vitest';
import { referenceWorks } from '../../../../builder/bundle/notice/table.ts';
import { refuseUnlicensed } from '../../../../builder/bundle/notice/works.ts';

describe('a bundle for the public', () => {
  it('may contain every work of the reference appliance', async () => {
    const works = await referenceWorks();
    expect(() => refuseUnlicensed(works)).not.toThrow();
  });

  it('rejects a public bundle, and names each work in it with an unknown license', async () => {
    const works = (await referenceWorks()).map((work) =>
      ['lobe', 'qwen3:8b'].includes(work.name) ? { ...work, license: undefined } : work,
    );
    expect(() => refuseUnlicensed(works)).toThrow(
      expect.objectContaining({
        code: 'LICENSE_UNKNOWN',
        message: expect.stringContaining('lobe, qwen3:8b'),
        hint: expect.stringContaining('--without lobe'),
        problems: [
          { message: expect.stringContaining('lobehub/lobe-chat:1.143.3') },
          { message: expect.stringContaining('qwen3:8b') },
        ],
      }),
    );
    const pulled = works.map((work) => ({ ...work, carried: false }));
    expect(() => refuseUnlicensed(pulled)).not.toThrow();
  });
});
