import { describe, expect, it } from 'vitest';
import { StageError } from '../../../../appliance/server/stage/stage-error.ts';

describe('the error of a stage', () => {
  it.each(['ENOSPC', 'EDQUOT'])('reports a full disk, not a bug, for %s', (code) => {
    const cause = Object.assign(new Error(`${code}: write`), { code });
    const error = new StageError('images', cause, true);
    expect(error).toMatchObject({ code: 'DISK_FULL', message: 'images: the disk is full' });
    expect(error.hint).toContain('df -h');
  });

  it('reports any other unexpected failure of a stage as a bug', () => {
    const error = new StageError('images', new TypeError('x is undefined'), true);
    expect(error).toMatchObject({ code: 'STAGE_FAILED', hint: expect.stringContaining('bug') });
  });
});
