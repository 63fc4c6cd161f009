import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { checksumsOf } from '#contract/bundle/layout.ts';
import type { Release } from '#contract/bundle/release.ts';
import { encodeCanonicalJson } from '#contract/text/json.ts';
import {
  preAuthEncoding,
  predicateType,
  provenanceBundle,
  statementType,
} from '#contract/trust/provenance.ts';
import { sigstoreBundle } from '#contract/trust/sigstore.ts';
import { type KeyPair, recoveryKey, releaseKey, secondKey, signDer } from './keys.ts';
import { block, type HeaderFields, tarHeader, zerosAfter } from './tar.ts';

/** A file of a simulated release. */
export interface SimulatedFile {
  readonly path: string;
  readonly content: Buffer;
  readonly executable?: boolean;
}

/** A member of the archive; `header` and `padding` override the correct ones. */
export interface Member {
  readonly name: string;
  readonly content: Buffer;
  readonly header?: Partial<HeaderFields>;
  readonly padding?: Buffer;
}

/** An entry of the archive: a member, or raw bytes. */
export type Piece = Member | Buffer;

/**
 * Hooks for faults of the publisher or a man in the middle, in the order in which a bundle is
 * created. Without a hook, a step is done correctly.
 */
export interface Knobs {
  readonly files?: readonly SimulatedFile[];
  readonly signer?: KeyPair;
  /** Changes the manifest before it is encoded and signed. */
  readonly release?: (release: Release) => unknown;
  /** Changes the bytes of the manifest before signing. */
  readonly manifest?: (bytes: Buffer) => Buffer;
  /** Creates the signature. */
  readonly sign?: (manifest: Buffer, signer: KeyPair) => Buffer;
  /** Creates the Sigstore bundle. */
  readonly sigstore?: (manifest: Buffer, signature: Buffer) => Buffer;
  /** Changes the statement of the provenance before signing. */
  readonly statement?: (statement: object) => unknown;
  /** Signs the statement and creates the provenance. */
  readonly attest?: (payload: Buffer) => Buffer;
  /** Arranges the entries of the archive; by default the head and then the files. */
  readonly arrange?: (head: readonly Member[], files: readonly Member[]) => readonly Piece[];
  /** The end of the archive. */
  readonly end?: Buffer;
  /** Changes the finished bundle. */
  readonly bytes?: (bundle: Buffer) => Buffer;
}

const bootstrapNames = [
  'bootstrap',
  'unpack.py',
  'fetch.py',
  'socks5.py',
  'landfall-boot.service',
] as const;
const bootstrapFile = (name: string) =>
  readFileSync(new URL(`../../appliance/bootstrap/${name}`, import.meta.url));

export const createdAt = '2026-11-01T00:00:00Z';
export const mtime = Date.parse(createdAt) / 1000;
export const twoZeroBlocks = Buffer.alloc(2 * block);

export const tinyFiles: readonly SimulatedFile[] = [
  { path: 'appliance.yaml', content: Buffer.from('name: landfall\n') },
  { path: 'bin/landfall.mjs', content: Buffer.from('console.log(1);\n'), executable: true },
];

/** Creates a bundle that is valid except for the given hooks. */
export function makeBundle(knobs: Knobs = {}): Buffer {
  const files = knobs.files ?? tinyFiles;
  const signer = knobs.signer ?? releaseKey;
  const honest = makeRelease(files);
  const value = knobs.release?.(honest) ?? honest;
  const encoded = Buffer.from(encodeCanonicalJson(value));
  const manifest = knobs.manifest?.(encoded) ?? encoded;
  const head = makeHead(value as Release, manifest, signer, knobs);
  const members = files.map(memberOf);
  const pieces = knobs.arrange?.(head, members) ?? [...head, ...members];
  const bundle = Buffer.concat([...pieces.flatMap(blocksOf), knobs.end ?? twoZeroBlocks]);
  return knobs.bytes?.(bundle) ?? bundle;
}

/** The manifest of a release with these files. */
export function makeRelease(files: readonly SimulatedFile[]): Release {
  let position = 0;
  return {
    schema: 1,
    product: 'landfall',
    version: '1.2.0',
    arch: 'amd64',
    kind: 'thin',
    created: createdAt,
    expires: '2027-11-01T00:00:00Z',
    updatesFrom: '1.0.0',
    dataEpoch: 1,
    keys: {
      release: [releaseKey.public.spki, secondKey.public.spki],
      recovery: recoveryKey.public.spki,
    },
    images: [],
    models: [{ name: 'qwen3:8b', role: 'chat', manifest: null, size: null }],
    downloads: [],
    bootstrap: bootstrapNames.map((name) => ({ name, sha256: sha256(bootstrapFile(name)) })),
    files: files.map(({ path, content, executable = false }) => {
      const offset = position + block;
      position = offset + content.length + zerosAfter(content.length).length;
      return { path, size: content.length, sha256: sha256(content), offset, executable };
    }),
  };
}

function makeHead(release: Release, manifest: Buffer, signer: KeyPair, knobs: Knobs): Member[] {
  const { sign = signDer, statement = (honest: object) => honest } = knobs;
  const signature = sign(manifest, signer);
  const sigstore =
    knobs.sigstore ?? ((...parts) => Buffer.from(sigstoreBundle(...parts, signer.public)));
  const attest = knobs.attest ?? ((payload) => attestation(payload, signer));
  const payload = Buffer.from(encodeCanonicalJson(statement(statementAbout(manifest))));
  return [
    { name: 'release.json', content: manifest },
    { name: 'release.json.sig', content: signature },
    { name: 'release.sigstore.json', content: sigstore(manifest, signature) },
    { name: 'SHA256SUMS', content: checksumsFor(release, manifest) },
    { name: 'provenance.sigstore.json', content: attest(payload) },
  ];
}

/** A statement signed by one key, with the hint of that key or of another. */
export function attestation(payload: Buffer, signer: KeyPair, named: KeyPair = signer): Buffer {
  const signature = signDer(preAuthEncoding(payload), signer);
  return Buffer.from(provenanceBundle(payload, signature, named.public));
}

/** An in-toto statement about a manifest, with the minimum that SLSA requires. */
export function statementAbout(manifest: Buffer): object {
  return {
    _type: statementType,
    subject: [{ name: 'release.json', digest: { sha256: sha256(manifest) } }],
    predicateType,
    predicate: { buildDefinition: { buildType: 'https://example.com/build/v1' } },
  };
}

/** A malicious manifest may have no file list. */
function checksumsFor(release: Release, manifest: Buffer): Buffer {
  return Array.isArray(release?.files)
    ? Buffer.from(checksumsOf(release, manifest))
    : Buffer.from('\n');
}

function memberOf({ path, content, executable }: SimulatedFile): Member {
  return { name: path, content, header: executable ? { mode: '0000755\0' } : {} };
}

function blocksOf(piece: Piece): Buffer[] {
  if (Buffer.isBuffer(piece)) return [piece];
  const { name, content, header, padding } = piece;
  return [
    tarHeader(name, content.length, mtime, header),
    content,
    padding ?? zerosAfter(content.length),
  ];
}

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
