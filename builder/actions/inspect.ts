import { resolve } from 'node:path';
import { sbom } from '#contract/bundle/bundle-paths.ts';
import { signatureName } from '#contract/bundle/head.ts';
import { carriesModel } from '#contract/bundle/model-files.ts';
import type { Release, ReleaseModel } from '#contract/bundle/release.ts';
import { formatBytes } from '#contract/text/format-bytes.ts';
import { formatTable } from '#contract/text/table.ts';
import { formatKeyId, readPublicKey } from '#contract/trust/keys.ts';
import { signerOf } from '#contract/trust/signature.ts';
import { headOfBundle } from '../bundle/unverified-head.ts';
import { releasePaths } from '../user-data/release-paths.ts';
import type { CommandContext } from './context.ts';
import { oneOrAll } from './verify.ts';

/** Contents of a bundle's head. Only the signature by the announced key is verified. */
interface Inspected {
  readonly verified: false;
  /** Bytes of the bundle. */
  readonly size: number;
  readonly release: Release;
  readonly manifestSha256: string;
  /** ID of the announced key that signed the release; undefined if none of them did. */
  readonly signedBy: string | undefined;
  readonly headSize: number;
}

/** Prints the head of a bundle. @throws LandfallError when it is not a bundle */
export async function inspectAction(
  context: CommandContext,
  path: string,
  flags: { readonly json?: boolean },
): Promise<void> {
  const paths = await releasePaths([resolve(context.cwd, path)]);
  const all = await Promise.all(paths.map(inspectAt));
  const text = flags.json ? JSON.stringify(oneOrAll(all)) : all.map(describe).join('\n\n');
  context.stdout.write(`${text}\n`);
}

async function inspectAt(path: string): Promise<Inspected> {
  const { release, manifest, manifestSha256, members, headSize, size } = await headOfBundle(path);
  const announced = [...release.keys.release, release.keys.recovery].filter((key) => key !== null);
  const keys = announced.map((key) => readPublicKey(key));
  const signer = signerOf(manifest, members.get(signatureName) ?? Buffer.alloc(0), keys);
  return { verified: false, size, release, manifestSha256, signedBy: signer?.id, headSize };
}

function modelRow(release: Release, model: ReleaseModel): string[] {
  const { name, manifest, size } = model;
  return [
    `  ${name}`,
    manifest === null ? 'unresolved' : `${manifest.slice(0, 19)}…`,
    size === null ? 'size unresolved' : formatBytes(size),
    carriesModel(release, model) ? 'in the bundle' : 'pulled by the server',
  ];
}

function describe({ release, manifestSha256, signedBy, size }: Inspected): string {
  const { product, version, arch, kind, images, files, downloads, models } = release;
  const facts = formatTable([
    [
      'release',
      `${product} ${version} for ${arch}, ${kind}, ${formatBytes(size)}, ${files.length} files`,
    ],
    ['created', `${release.created}, expires ${release.expires}`],
    ['data epoch', String(release.dataEpoch)],
    ['release.json', manifestSha256],
    [
      'signed by',
      signedBy
        ? `${formatKeyId(signedBy)}  (untrusted; check with landfall verify)`
        : 'none of the announced keys',
    ],
    ...files
      .filter(({ path }) => path === sbom)
      .map(({ path, size: bytes }) => ['SBOM', `${path}, ${formatBytes(bytes)}, CycloneDX`]),
  ]);
  const rows = images.map(({ component, reference, index, size: bytes, optional }) => [
    `  ${component}${optional ? ' (optional)' : ''}`,
    reference,
    `${index.slice(0, 19)}…`,
    bytes === null ? 'size unresolved' : formatBytes(bytes),
  ]);
  const extras = [
    ...downloads.map(({ path, urls }) => [
      '  outside',
      `${path} from ${new URL(urls[0] ?? '').host}`,
    ]),
  ];
  const bootstrap = release.bootstrap?.map(({ name, sha256 }) => [`  ${name}`, sha256]);
  return [
    facts,
    'images',
    formatTable(rows, [{}, {}, {}, { align: 'right' }]),
    ...(models.length > 0
      ? [
          'models',
          formatTable(
            models.map((model) => modelRow(release, model)),
            [{}, {}, { align: 'right' }],
          ),
        ]
      : []),
    ...(extras.length > 0 ? [formatTable(extras)] : []),
    ...(bootstrap ? ['bootstrap, SHA-256', formatTable(bootstrap)] : []),
  ].join('\n');
}
