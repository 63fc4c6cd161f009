import { gzipSync } from 'node:zlib';
import { append, replace } from '../arrange.ts';
import { makeBundle, tinyFiles } from '../bundle.ts';
import { breaking } from '../hostile-bundle.ts';
import { base256, block, zerosAfter } from '../tar.ts';

const zeroBlock = Buffer.alloc(block);
const cut = (at: number) => makeBundle({ bytes: (bundle) => bundle.subarray(0, at) });
const appended = (more: Buffer) => makeBundle({ bytes: (bundle) => Buffer.concat([bundle, more]) });

/** Bundles that are truncated, have trailing data, or hide bytes between members. */
export const archiveAttacks = [
  ...breaking('BUNDLE_TRUNCATED', 'not-truncated', {
    'an empty stream': () => Buffer.alloc(0),
    'truncated inside the first header': () => cut(100),
    'truncated inside release.json': () => cut(block + 10),
    'truncated after the head': () => makeBundle({ arrange: (head) => head, end: Buffer.alloc(0) }),
    'truncated inside the last file': () => cut(-3 * block + 1),
    'truncated inside the padding of the last file': () => cut(-2 * block - 1),
    'the last byte missing': () => cut(-1),
    'one zero block at the end instead of two': () => makeBundle({ end: zeroBlock }),
    'no zero block at the end': () => makeBundle({ end: Buffer.alloc(0) }),
    'a signed file of 9 PB without content': () =>
      makeBundle({
        release: ({ files, ...release }) => ({
          ...release,
          files: files.slice(0, 1).map((file) => ({ ...file, size: Number.MAX_SAFE_INTEGER })),
        }),
        arrange: replace('appliance.yaml', (member) => ({
          ...member,
          header: { size: base256(BigInt(Number.MAX_SAFE_INTEGER)) },
        })),
      }),
  }),
  ...breaking('BUNDLE_TRAILING', 'nothing-after', {
    'one byte after the end': () => appended(Buffer.of(0)),
    'a third zero block': () => appended(zeroBlock),
    'padded to ten kilobytes like by tar': () => appended(Buffer.alloc(9 * 1024)),
    'another bundle after the end': () => appended(makeBundle()),
    'a gzip member after the end': () => appended(gzipSync('more')),
    'a script in the second zero block': () =>
      makeBundle({
        end: Buffer.concat([zeroBlock, Buffer.from('#!/bin/sh\n'.padEnd(block, '\0'))]),
      }),
  }),
  ...breaking('BUNDLE_HEADER', 'zero-padding', {
    'bytes in the padding of a file': () =>
      makeBundle({
        arrange: replace('appliance.yaml', (member) => ({
          ...member,
          padding: Buffer.from(zerosAfter(member.content.length)).fill('x'),
        })),
      }),
    'one bit in the padding of release.json': () =>
      makeBundle({
        arrange: replace('release.json', (member) => {
          const padding = zerosAfter(member.content.length);
          padding[padding.length - 1] = 1;
          return { ...member, padding };
        }),
      }),
    'padding missing': () =>
      makeBundle({
        arrange: replace('appliance.yaml', (member) => ({ ...member, padding: Buffer.alloc(0) })),
      }),
  }),
  ...breaking('BUNDLE_HEADER', 'canonical-header', {
    'compressed with gzip': () => gzipSync(makeBundle()),
    'a page of a captive portal': () =>
      Buffer.from('<!DOCTYPE html><title>Sign in</title>'.padEnd(4096)),
    'an invalid block before the end': () =>
      makeBundle({ arrange: append(Buffer.alloc(block, 0xa5)) }),
    '50 MB after a header that declares none': () =>
      makeBundle({
        files: [{ path: 'empty', content: Buffer.alloc(0) }, ...tinyFiles],
        arrange: replace('empty', (member) => [member, Buffer.alloc(50_000_000, 'x')]),
      }),
  }),
];
