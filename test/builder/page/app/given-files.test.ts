import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodeUtf8 } from '#contract/text/bytes.ts';
import { sortFiles } from '../../../../builder/page/app/given-files.ts';

const fileOf = (name: string, content: string | Uint8Array<ArrayBuffer>) =>
  new File([content], name);
const site = 'release: push\n';

describe('sortFiles', () => {
  it('sorts the files of a release, a site and user-data', async () => {
    const sorted = await sortFiles([
      fileOf('landfall-1.0.0-amd64.release.json', '{}'),
      fileOf('landfall-1.0.0-amd64.release.json.sig', 'x'),
      fileOf('channel.json', '{}'),
      fileOf('mine.YML', site),
      fileOf('user-data', '#cloud-config\n'),
    ]);
    expect(sorted.release.map(({ name }) => name)).toHaveLength(3);
    expect(sorted.site).toBe(site);
    expect(decodeUtf8(sorted.other ?? new Uint8Array())).toBe('#cloud-config\n');
    expect(sorted.refused).toBeUndefined();
  });

  it.each([
    ['user-data.yaml', '#cloud-config\nruncmd: []\n'],
    ['user-data.sh', '#!/bin/sh\n'],
    ['mail.txt', 'Content-Type: multipart/mixed; boundary="x"\n'],
    ['user-data', '#include\nhttps://x.test/\n'],
    ['user-data.yaml', '## template: jinja\n#cloud-config\n'],
  ])('recognises user-data by its content: %s', async (name, content) => {
    const { other, site: none } = await sortFiles([fileOf(name, content)]);
    expect(decodeUtf8(other ?? new Uint8Array())).toBe(content);
    expect(none).toBeUndefined();
  });

  it('decompresses user-data', async () => {
    const { other } = await sortFiles([
      fileOf('user-data.gz', Uint8Array.from(gzipSync('#cloud-config\n'))),
    ]);
    expect(decodeUtf8(other ?? new Uint8Array())).toBe('#cloud-config\n');
  });

  it.each([
    ['a bundle', 'landfall.tar', new Uint8Array(9_000_000), 'CONFIG_TOO_LARGE'],
    ['a private key', 'id_ed25519', '-----BEGIN OPENSSH PRIVATE KEY-----\n', 'SITE_SECRET'],
    ['a picture', 'a.png', Uint8Array.from([0x89, 0x50, 0x4e, 0x47]), 'CONFIG_INVALID'],
    ['UTF-16', 'site.yaml', Uint8Array.from(Buffer.from(site, 'utf16le')), 'CONFIG_ENCODING'],
  ])('names a file that it does not read: %s', async (_what, name, content, code) => {
    const { refused, ...rest } = await sortFiles([fileOf(name, content)]);
    expect(refused).toMatchObject({ code, message: expect.stringContaining(name) });
    expect(rest).toEqual({ release: [], site: undefined, other: undefined });
  });
});
