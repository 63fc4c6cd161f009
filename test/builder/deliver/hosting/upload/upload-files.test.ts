import { describe, expect, it } from 'vitest';
import { uploadOrder } from '../../../../../builder/deliver/hosting/upload/upload-files.ts';

describe('uploadOrder', () => {
  it('begins with bundles, ends with manifests, and has the first part of a bundle after the others', () => {
    const names = [
      'a.release.json',
      'a.release.json.sig',
      'a.tar.000',
      'a.tar.001',
      'b.tar',
      'release.pub',
    ];
    const files = names.map((name) => ({ name, path: name, size: 1, modified: 0 }));
    expect(uploadOrder(files).map(({ name }) => name)).toEqual([
      ...['a.tar.001', 'b.tar', 'a.tar.000'],
      ...['a.release.json.sig', 'release.pub', 'a.release.json'],
    ]);
  });
});
