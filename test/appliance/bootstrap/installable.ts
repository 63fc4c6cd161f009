import { gzipSync } from 'node:zlib';
import { nodeTarball, program } from '#contract/bundle/bundle-paths.ts';
import {
  type Knobs,
  makeBundle,
  mtime,
  type SimulatedFile,
  sha256,
} from '../../simulator/bundle.ts';
import { headOf } from '../../simulator/head-of.ts';
import { tarHeader, zerosAfter } from '../../simulator/tar.ts';

/** A replacement for Node that records its command line and exits. */
const node = `#!/bin/sh
printf '%s\\n' "$0" "$@" >"$LANDFALL_ROOT/started"
`;

/** Returns a tarball like those of npm. */
export function npmTarball(files: Readonly<Record<string, string>>): Buffer {
  const members = Object.entries(files).flatMap(([name, text]) => {
    const content = Buffer.from(text);
    return [tarHeader(name, content.length, mtime), content, zerosAfter(content.length)];
  });
  return gzipSync(Buffer.concat([...members, Buffer.alloc(1024)]));
}

/** The files of a small release that a server can start. */
export const installableFiles: readonly SimulatedFile[] = [
  { path: 'compose/compose.yaml', content: Buffer.from('services: {}\n') },
  { path: 'compose/entry.sh', content: Buffer.from('#!/bin/sh\n'), executable: true },
  { path: 'images/blob', content: Buffer.alloc(200_000, 'layer ') },
  { path: 'images/empty', content: Buffer.alloc(0) },
  { path: program, content: Buffer.from('console.log(1);\n') },
  {
    path: nodeTarball,
    content: npmTarball({ 'package/README.md': 'Node\n', 'package/bin/node': node }),
  },
];

/** Returns a bundle that a server can start. */
export function installable(knobs: Knobs = {}): Buffer {
  return makeBundle({ files: installableFiles, ...knobs });
}

/** Returns the SHA-256 of release.json, which user-data pins. */
export function pinOf(bundle: Buffer): string {
  return sha256(headOf(bundle).get('release.json') ?? Buffer.alloc(0));
}
