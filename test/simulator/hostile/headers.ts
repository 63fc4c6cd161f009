import { append, replace } from '../arrange.ts';
import { type Knobs, type Member, makeBundle, mtime } from '../bundle.ts';
import { breaking, type HostileBundle } from '../hostile-bundle.ts';
import { base256, block, type HeaderFields, tarHeader } from '../tar.ts';

/** The second file, with other header fields. */
const header = (fields: Partial<HeaderFields>) => () =>
  makeBundle({
    arrange: replace('bin/landfall.mjs', (member) => ({
      ...member,
      header: { ...member.header, ...fields },
    })),
  });

/** A member of another type before the second file. */
const before = (name: string, fields: Partial<HeaderFields>, content = Buffer.alloc(0)) => {
  const intruder: Member = { name, content, header: fields };
  return () => makeBundle({ arrange: replace('bin/landfall.mjs', (member) => [intruder, member]) });
};

/** The second file with a name that the manifest also has, if it can. */
const named = (name: string | Buffer) => () =>
  makeBundle({
    arrange: replace('bin/landfall.mjs', (member) => ({
      ...member,
      header: { ...member.header, name },
    })),
  });

const extended = (name: string, typeflag: string, content: string) =>
  before(name, { typeflag }, Buffer.from(content));

const cases: Record<string, HostileBundle['bundle']> = {
  'a symbolic link': before('etc', { typeflag: '2', linkname: '/etc' }),
  'a symbolic link instead of a file': header({ typeflag: '2', linkname: '/etc/passwd' }),
  'a hard link': before('shadow', { typeflag: '1', linkname: '/etc/shadow' }),
  'a character device': before('mem', {
    typeflag: '3',
    devmajor: '0000001\0',
    devminor: '0000001\0',
  }),
  'a block device': before('sda', { typeflag: '4', devmajor: '0000010\0', devminor: '0000000\0' }),
  'a directory': before('bin', { typeflag: '5', mode: '0000755\0' }),
  'a fifo': before('pipe', { typeflag: '6' }),
  'a contiguous file (CONTTYPE)': header({ typeflag: '7' }),
  'the old type of a regular file': header({ typeflag: '\0' }),
  'an unknown type': header({ typeflag: 'Z' }),
  'a pax header that renames the file': extended('pax', 'x', '19 path=/etc/passwd\n'),
  'a pax header with another size': extended('pax', 'x', '12 size=999\n'),
  'a global pax header': extended('pax', 'g', '21 mtime=1234567890\n'),
  'a GNU long name': extended('././@LongLink', 'L', '/etc/cron.d/evil\0'),
  'a GNU long link': extended('././@LongLink', 'K', '/etc/passwd\0'),
  'a GNU sparse file': header({ typeflag: 'S' }),
  'a GNU volume label': before('disk', { typeflag: 'V' }),
  'a GNU multi-volume part': header({ typeflag: 'M' }),
  'a link name on a regular file': header({ linkname: '/etc/passwd' }),
  'a mode with setuid': header({ mode: '0004755\0' }),
  'a world-writable mode': header({ mode: '0000777\0' }),
  'a mode with spaces': header({ mode: '   755 \0' }),
  'an owner other than 0': header({ uid: '0001750\0' }),
  'a group other than 0': header({ gid: '0001750\0' }),
  'an owner with a name': header({ uname: 'root' }),
  'a group with a name': header({ gname: 'root' }),
  'device numbers on a regular file': header({ devmajor: '0000000\0', devminor: '0000000\0' }),
  'a name split into prefix and name': header({ name: 'landfall.mjs', prefix: 'bin' }),
  'the magic of old GNU tar': header({ magic: 'ustar  \0' }),
  'no magic at all (V7)': header({ magic: '\0\0\0\0\0\0\0\0' }),
  'a size in base-256 that octal digits could hold': header({ size: base256(16n) }),
  'a size in base-256 over 2^53': header({ size: base256(2n ** 60n) }),
  'a size with all bits set': header({ size: Buffer.alloc(12, 0xff) }),
  'a size that is not a number': header({ size: Buffer.from('0x000000010\0') }),
  'a size with a trailing space': header({ size: Buffer.from('00000000020 ') }),
  'a time in base-256': header({ mtime: base256(BigInt(mtime)).toString('latin1') }),
  'a wrong checksum': header({ checksum: '000000\0 ' }),
  'a correct checksum in another format': spelledChecksum,
  'bytes after the NUL of the name': named('bin/landfall.mjs\0../../etc/passwd'),
  'a name with a line break': named('bin/land\nfall.mjs'),
  'a name with a terminal escape': named('\u001b[2Jbin/landfall.mjs'),
  'a name in Latin-1': named(Buffer.from('bin/l\xe4ndfall.mjs', 'latin1')),
  'a name in UTF-8': named(Buffer.from('bin/ländfall.mjs')),
  'a name with a right-to-left override': named(Buffer.from('bin/\u202esjm.llafdnal')),
  'a name outside of the folder': named('../../etc/cron.d/evil'),
  'a name with .. in the middle': named('bin/../../etc/passwd'),
  'an absolute name': named('/etc/passwd'),
  'a name with backslashes': named('bin\\landfall.mjs'),
  'a name with a drive letter': named('C:/landfall.mjs'),
  'a name that begins with a dash': named('--checkpoint-action=exec=sh'),
  'a name with a dot segment': named('./bin/landfall.mjs'),
  'a name that ends in a slash': named('bin/landfall.mjs/'),
  'no name': named(''),
};

function spelledChecksum(): Buffer {
  const honest = tarHeader('extra', 0, mtime);
  const sum = honest.toString('latin1', 148, 154);
  return makeBundle({
    arrange: append({ name: 'extra', content: Buffer.alloc(0), header: { checksum: `0${sum}\0` } }),
  });
}

const differentTime: Knobs['arrange'] = replace('bin/landfall.mjs', (member) => ({
  ...member,
  header: { ...member.header, mtime: mtime + 1 },
}));

/** Members with a header that is not canonical for their name, size and time. */
export const headerAttacks = [
  ...breaking('BUNDLE_HEADER', 'canonical-header', cases),
  ...breaking('BUNDLE_HEADER', 'canonical-header', {
    'an executable head member': () =>
      makeBundle({
        arrange: replace('release.json', (member) => ({
          ...member,
          header: { mode: '0000755\0' },
        })),
      }),
    'a release.json that is a link': () =>
      makeBundle({
        arrange: replace('release.json', () => ({
          name: 'release.json',
          content: Buffer.alloc(0),
          header: { typeflag: '2', linkname: '/etc/landfall/release.json' },
        })),
      }),
    'a bundle that begins with a pax header': () =>
      makeBundle({
        arrange: (head, files) => [
          { name: 'pax', content: Buffer.alloc(block), header: { typeflag: 'g' } },
          ...head,
          ...files,
        ],
      }),
  }),
  ...breaking('BUNDLE_HEADER', 'one-time', {
    'a file with another time': () => makeBundle({ arrange: differentTime }),
    'a head member with another time': () =>
      makeBundle({
        arrange: replace('SHA256SUMS', (member) => ({ ...member, header: { mtime: mtime - 1 } })),
      }),
    'members with a common time that differs from the release': () =>
      makeBundle({ release: (release) => ({ ...release, created: '2026-11-01T00:00:01Z' }) }),
    'a release created before 1970': () =>
      makeBundle({ release: (release) => ({ ...release, created: '1969-12-31T23:59:59Z' }) }),
  }),
];
