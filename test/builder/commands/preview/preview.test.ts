import { describe, expect, it } from 'vitest';
import { previewName } from '../../../../builder/commands/preview/preview.ts';

describe('the name of a preview', () => {
  it('derives the name of a preview from the folder', () => {
    expect(previewName('/home/me/My Server', undefined)).toMatch(/^my-server-[0-9a-f]{6}$/);
  });

  it('differs for folders with the same last name', () => {
    expect(previewName('/a/server', undefined)).not.toBe(previewName('/b/server', undefined));
  });

  it.each(['/', '/服务器', `/${'x'.repeat(200)}-`])(
    'derives a valid name of a preview from the folder %s',
    (folder) => {
      const name = previewName(folder, undefined);
      expect(previewName('/', name)).toBe(name);
    },
  );

  it.each(['', 'A', 'a b', '-a', 'a/../b', 'x'.repeat(33)])('rejects --name %j', (given) => {
    expect(() => previewName('/a', given)).toThrow(expect.objectContaining({ code: 'USAGE' }));
  });
});
