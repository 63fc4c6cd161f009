import { nodeTarball, program } from '#contract/bundle/bundle-paths.ts';
import type { Release } from '#contract/bundle/release.ts';
import { npmTarball } from '../appliance/bootstrap/installable.ts';
import {
  type Knobs,
  type Member,
  makeBundle,
  type Piece,
  type SimulatedFile,
  twoZeroBlocks,
} from '../simulator/bundle.ts';
import { releaseKey } from '../simulator/keys.ts';
import type { Random } from './random.ts';

/** A minimal release: small, so that thousands take seconds. */
const smallFiles: readonly SimulatedFile[] = [
  { path: 'compose/compose.yaml', content: Buffer.from('services: {}\n') },
  { path: 'compose/entry.sh', content: Buffer.from('#!/bin/sh\n'), executable: true },
  { path: 'images/blob', content: Buffer.alloc(1500, 'layer ') },
  { path: 'images/empty', content: Buffer.alloc(0) },
  { path: program, content: Buffer.from('console.log(1);\n') },
  { path: nodeTarball, content: npmTarball({ 'package/bin/node': '#!/bin/sh\n' }) },
];

/** A random mutation of a draft. */
export type Mutation = (draft: Draft, random: Random) => void;
export type Mutations = Readonly<Record<string, Mutation>>;

type Json = Record<string, unknown>;

/** A bundle under construction, with the mutations of each step. */
export class Draft {
  files: SimulatedFile[] = [...smallFiles];
  signer = releaseKey;
  sign: Knobs['sign'];
  sigstore: Knobs['sigstore'];
  attest: Knobs['attest'];
  end = twoZeroBlocks;
  readonly ofRelease: Array<(release: Json) => void> = [];
  readonly ofManifest: Array<(manifest: Buffer) => Buffer> = [];
  readonly ofPieces: Array<(pieces: Piece[]) => Piece[]> = [];
  readonly ofBytes: Array<(bundle: Buffer) => Buffer> = [];

  /** The bundle, and its manifest as it was signed. */
  make(): { readonly bundle: Buffer; readonly manifest: Buffer } {
    let manifest: Buffer = Buffer.alloc(0);
    const { files, signer, end, sign, sigstore, attest } = this;
    const bundle = makeBundle({
      ...{ files, signer, end },
      ...(sign && { sign }),
      ...(sigstore && { sigstore }),
      ...(attest && { attest }),
      release: (honest) => {
        const release = structuredClone(honest) as Release & Json;
        for (const edit of this.ofRelease) edit(release);
        return release;
      },
      manifest: (bytes) => {
        manifest = this.ofManifest.reduce((all, edit) => edit(all), bytes);
        return manifest;
      },
      arrange: (head, rest) =>
        this.ofPieces.reduce((pieces, edit) => edit(pieces), [...head, ...rest] as Piece[]),
      bytes: (whole) => this.ofBytes.reduce((all, edit) => edit(all), whole),
    });
    return { bundle, manifest };
  }

  /** Mutates every member of the archive, or a selected one. */
  editMembers(edit: (member: Member, index: number) => Piece | readonly Piece[]): void {
    this.ofPieces.push((pieces) =>
      pieces.flatMap((piece, index) => (Buffer.isBuffer(piece) ? piece : edit(piece, index))),
    );
  }

  editMember(random: Random, edit: (member: Member) => Piece | readonly Piece[]): void {
    const turn = random.below(100);
    this.ofPieces.push((pieces) => {
      const at = turn % pieces.length;
      return pieces.flatMap((piece, index) =>
        index === at && !Buffer.isBuffer(piece) ? edit(piece) : piece,
      );
    });
  }
}
