import { describe, expect, it } from 'vitest';
import { checksumIn, cloudImage } from './cloud-images.ts';

const sum = 'ab'.repeat(32);

describe('a cloud image', () => {
  it('names a cloud image by distribution and architecture', () => {
    expect(cloudImage('ubuntu-26.04', 'arm64').url.href).toBe(
      'https://cloud-images.ubuntu.com/releases/26.04/release/ubuntu-26.04-server-cloudimg-arm64.img',
    );
    expect(cloudImage('debian-12', 'amd64')).toMatchObject({
      url: new URL(
        'https://cloud.debian.org/images/cloud/bookworm/latest/debian-12-genericcloud-amd64.qcow2',
      ),
      sums: new URL('https://cloud.debian.org/images/cloud/bookworm/latest/SHA512SUMS'),
    });
  });
});

describe('the checksum of a cloud image', () => {
  it.each([`${sum} *a.img`, `${sum}  a.img\r`])(
    'reads the checksum of a cloud image from the line %j',
    (line) => {
      expect(checksumIn(`${'0'.repeat(64)} *b.img\n${line}\n`, 'a.img', 'sha256')).toBe(sum);
    },
  );

  it.each(['', `${sum}  aXimg`, `${'g'.repeat(64)}  a.img`, `${sum}  a.img\n${sum}  a.img`])(
    'finds no single checksum of a cloud image in %j',
    (list) => {
      expect(() => checksumIn(list, 'a.img', 'sha256')).toThrow('no single checksum of a.img');
    },
  );
});
