import { type Member, mtime } from '../../simulator/bundle.ts';
import { base256, type HeaderFields } from '../../simulator/tar.ts';
import type { Mutations } from '../draft.ts';
import type { Random } from '../random.ts';

const oddNames = [
  ...['', '/etc/passwd', '../evil', 'compose/../evil', './release.json', 'release.json/'],
  ...[
    'RELEASE.JSON',
    'release.json\0x',
    '--checkpoint=1',
    'compose\\x',
    'x'.repeat(100),
    'bl\u00e4',
  ],
  ...['provenance.sigstore.json', 'release.json.sig', 'runtime/node', 'images/blob'],
];
const oddTypes = [
  '\0',
  '1',
  '2',
  '3',
  '4',
  '5',
  '6',
  '7',
  'A',
  'D',
  'L',
  'K',
  'M',
  'S',
  'V',
  'g',
  'x',
];

/** Values that tar readers interpret differently, by field. */
const oddFields: ReadonlyArray<Partial<HeaderFields>> = [
  ...oddNames.map((name) => ({ name })),
  ...oddTypes.map((typeflag) => ({ typeflag })),
  ...['0000755\0', '0000644 ', '0000777\0', '0004755\0', '    644\0', '000644 \0', '644'].map(
    (mode) => ({ mode }),
  ),
  ...['0000001\0', '      0\0', '0000000 ', '\0'].flatMap((id) => [{ uid: id }, { gid: id }]),
  ...[0, 1, 511, 512, 513, 8 ** 11 - 1].map((size) => ({ size })),
  ...[0n, 13n, 2n ** 33n, 2n ** 53n, 2n ** 63n].map((size) => ({ size: base256(size) })),
  ...['           \0', '0000000013 \0', '0000000015\0 ', ' 0000000015\0', '-0000000015\0'].map(
    (size) => ({ size: Buffer.from(size.padEnd(12, '\0')) }),
  ),
  ...[0, 1, mtime - 1, mtime + 1, 8 ** 11 - 1].map((time) => ({ mtime: time })),
  ...['', ' 15041175000', '15041175000 ', '\x80\0\0\0\0\0\0\0\0\0\0\x01'].map((time) => ({
    mtime: time,
  })),
  ...['ustar  \0', 'ustar\0 0', '\0\0\0\0\0\0\0\0'].map((magic) => ({ magic })),
  ...[{ linkname: '/etc' }, { uname: 'root' }, { gname: 'root' }, { prefix: 'compose' }],
  ...[{ devmajor: '0000000\0' }, { devminor: '0000001\0' }],
  ...['000000\0 ', '0000000\0', '      \0 ', '\0'].map((checksum) => ({ checksum })),
];

const paxRecords = ['19 path=/etc/passwd\n', '12 size=999\n', '21 mtime=1234567890\n', 'x', ''];

/** A member that no bundle has. */
function intruder(random: Random): Member {
  const name = random.pick(['pax', 'extra', '././@LongLink', 'provenance.sigstore.json', '.']);
  const typeflag = random.pick([...oddTypes, '0', 'x', 'g', 'L']);
  const content = Buffer.from(random.pick(paxRecords));
  return { name, content, header: { typeflag, linkname: random.oneIn(3) ? '/etc' : '' } };
}

/** Mistakes or attacks of an archive writer, by member. */
export const memberMutations: Mutations = {
  'an odd field in a header': (draft, random) => {
    const fields = random.pick(oddFields);
    draft.editMember(random, (member) => ({
      ...member,
      header: { ...member.header, ...fields },
    }));
  },
  'two odd fields in a header': (draft, random) => {
    const fields = { ...random.pick(oddFields), ...random.pick(oddFields) };
    draft.editMember(random, (member) => ({
      ...member,
      header: { ...member.header, ...fields },
    }));
  },
  'a removed member': (draft, random) => draft.editMember(random, () => []),
  'a repeated member': (draft, random) => draft.editMember(random, (member) => [member, member]),
  'a member before another': (draft, random) => {
    const added = intruder(random);
    draft.editMember(random, (member) => [added, member]);
  },
  'a member at the end': ({ ofPieces }, random) => {
    const added = intruder(random);
    ofPieces.push((pieces) => [...pieces, added]);
  },
  'two members swapped': ({ ofPieces }, random) => {
    const [one, other] = [random.below(100), random.below(100)];
    ofPieces.push((pieces) => {
      const [a, b] = [one % pieces.length, other % pieces.length];
      return pieces.map((piece, index) => {
        const from = index === a ? b : index === b ? a : index;
        return pieces[from] ?? piece;
      });
    });
  },
  'bytes in the padding': (draft, random) => {
    const [place, byte] = [random.below(512), 1 + random.below(255)];
    draft.editMember(random, (member) => {
      const padding = Buffer.alloc((512 - (member.content.length % 512)) % 512);
      if (padding.length > 0) padding[place % padding.length] = byte;
      return { ...member, padding };
    });
  },
  'padding of another size': (draft, random) => {
    const padding = Buffer.alloc(random.pick([0, 1, 511, 512, 1024]));
    draft.editMember(random, (member) => ({ ...member, padding }));
  },
  'content with another byte': (draft, random) => {
    const [place, byte] = [random.below(2 ** 30), random.below(256)];
    draft.editMember(random, (member) => {
      const content = Buffer.from(member.content);
      if (content.length > 0) content[place % content.length] = byte;
      return { ...member, content };
    });
  },
  'content of another size': (draft, random) => {
    const extra = random.pick([Buffer.alloc(1), Buffer.from('\n'), random.bytes(30)]);
    const grows = random.oneIn(2);
    draft.editMember(random, (member) => ({
      ...member,
      content: grows ? Buffer.concat([member.content, extra]) : member.content.subarray(0, -1),
    }));
  },
  'another end of the archive': (draft, random) => {
    draft.end = random.pick([
      ...[0, 1, 511, 512, 513, 1023, 1025, 1536, 10_240].map((size) => Buffer.alloc(size)),
      Buffer.alloc(1024, 1),
      Buffer.concat([Buffer.alloc(1023), Buffer.of(1)]),
      Buffer.concat([Buffer.alloc(512), Buffer.of(1), Buffer.alloc(511)]),
    ]);
  },
};
