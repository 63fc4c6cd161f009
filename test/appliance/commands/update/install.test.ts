import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { chooseWayBack } from '../../../../appliance/commands/update/install.ts';

const versions = { from: '1.0.0', to: '1.1.0' };
const shortage = { en: 'the update needs 3 GB, but 2 GB are free', zh: '空间不足' };

let output: string[];
beforeEach(() => {
  output = [];
  vi.spyOn(console, 'log').mockImplementation((text) => void output.push(String(text)));
});
afterEach(() => vi.restoreAllMocks());

describe('the way back of an update', () => {
  it('stays if there is space, also with --without-rollback', async () => {
    expect(await chooseWayBack(undefined, { withoutRollback: true }, versions)).toBe('kept');
    expect(output).toEqual([]);
  });

  it.each([true, false])('refuses without space and option, with --yes: %s', async (yes) => {
    await expect(chooseWayBack(shortage, { yes }, versions)).rejects.toMatchObject({
      code: 'DISK_FULL',
      message: shortage.en,
      hint: expect.stringContaining('--without-rollback'),
    });
  });

  it('prints what is lost, and asks nothing with --yes', async () => {
    const flags = { withoutRollback: true, yes: true };
    expect(await chooseWayBack(shortage, flags, versions)).toBe('given-up');
    expect(output[0]).toContain(`${shortage.en}\nWARNING: this update has no way back.`);
    expect(output[0]).toContain(
      'If 1.1.0 does not work, 1.0.0 starts again, unless 1.1.0 has changed',
    );
  });

  it('needs a terminal to ask', async () => {
    await expect(
      chooseWayBack(shortage, { withoutRollback: true }, versions),
    ).rejects.toMatchObject({ code: 'USAGE' });
  });
});
