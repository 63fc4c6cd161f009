import { append, replace, without } from '../arrange.ts';
import { type Knobs, type Member, makeBundle, tinyFiles } from '../bundle.ts';
import { breaking } from '../hostile-bundle.ts';
import { base256, block } from '../tar.ts';

const extra: Member = { name: 'etc/cron.d/landfall', content: Buffer.from('* * * * * root sh\n') };
const [first = extra, second = extra] = tinyFiles.map(
  ({ path, content }): Member => ({ name: path, content }),
);

const arranged = (arrange: Knobs['arrange']) => () => makeBundle({ ...(arrange && { arrange }) });
const content = (name: string, edit: (content: Buffer) => Buffer) =>
  arranged(replace(name, (member) => ({ ...member, content: edit(member.content) })));

/** Archives whose content differs from the manifest. */
export const memberAttacks = [
  ...breaking('BUNDLE_MEMBER', 'members', {
    'an extra file at the end': arranged(append(extra)),
    'an extra file in the middle': arranged(replace(first.name, (member) => [member, extra])),
    'an extra empty file': arranged(append({ name: 'empty', content: Buffer.alloc(0) })),
    'the last file missing': arranged(without(second.name)),
    'the first file missing': arranged(without(first.name)),
    'no files after the head': arranged((head) => head),
    'a file twice': arranged(replace(first.name, (member) => [member, member])),
    'the last file twice, with different bytes': arranged(
      append({ ...second, content: Buffer.from('console.log(2);\n') }),
    ),
    'the files in another order': arranged((head, files) => [...head, ...files.toReversed()]),
    'a file with another name': arranged(
      replace(first.name, (member) => ({ ...member, name: 'appliance.yml' })),
    ),
    'a file whose name differs in case': arranged(
      replace(first.name, (member) => ({ ...member, name: 'Appliance.yaml' })),
    ),
    'an executable file that should not be': arranged(
      replace(second.name, (member) => ({ ...member, header: {} })),
    ),
    'a file that became executable': arranged(
      replace(first.name, (member) => ({ ...member, header: { mode: '0000755\0' } })),
    ),
    'a file one byte longer': content(first.name, (bytes) => Buffer.concat([bytes, Buffer.of(1)])),
    'a file one byte shorter': content(first.name, (bytes) => bytes.subarray(1)),
    'a file that is empty': content(first.name, () => Buffer.alloc(0)),
    'a header that declares 8 EB': arranged(
      replace(first.name, (member) => ({
        ...member,
        header: { size: base256(BigInt(Number.MAX_SAFE_INTEGER)) },
      })),
    ),
    'a zero block before the last file': arranged(
      replace(second.name, (member) => [Buffer.alloc(block), member]),
    ),
    'a second manifest among the files': arranged((head, files) => [...head, ...head, ...files]),
    'two provenances': arranged(replace('provenance.sigstore.json', (member) => [member, member])),
    'a folder instead of a file': arranged(
      replace(first.name, (member) => ({ ...member, name: `${first.name}/inside` })),
    ),
  }),
  ...breaking('BUNDLE_CONTENT', 'content', {
    'a file with other bytes of the same size': content(second.name, () =>
      Buffer.from('console.log(2);\n'),
    ),
    'a file with one bit flipped': content(first.name, (bytes) => {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(0) ^ 1, 0);
      return flipped;
    }),
    'two files of equal size swapped': () =>
      makeBundle({
        files: [
          { path: 'a', content: Buffer.from('aaaa') },
          { path: 'b', content: Buffer.from('bbbb') },
        ],
        arrange: (head) => [
          ...head,
          { name: 'a', content: Buffer.from('bbbb') },
          { name: 'b', content: Buffer.from('aaaa') },
        ],
      }),
    'the files of another release': () =>
      makeBundle({
        arrange: (head) => [
          ...head,
          { ...first, content: Buffer.from('name: windfall\n') },
          { ...second, header: { mode: '0000755\0' } },
        ],
      }),
    'an empty file with a wrong signed digest': () =>
      makeBundle({
        files: [{ path: 'empty', content: Buffer.alloc(0) }],
        release: ({ files, ...release }) => ({
          ...release,
          files: files.map((file) => ({ ...file, sha256: '0'.repeat(64) })),
        }),
      }),
  }),
];
