import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sbom } from '#contract/bundle/bundle-paths.ts';
import { manifestName } from '#contract/bundle/head.ts';
import { partName } from '#contract/bundle/part-name.ts';
import { releaseName } from '#contract/bundle/release-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import { formatKeyId, type PublicKey, type TrustedKeys } from '#contract/trust/keys.ts';
import type { HttpClient } from '#http/client.ts';
import { compare } from '../diff/compare.ts';
import { printMarkdown } from '../diff/print-markdown.ts';
import { expectSha256, openSide, type Side, sbomOf } from '../diff/sides.ts';
import { readPublished } from '../reproduce/published-release.ts';
import { downloadBytes } from '../sources/download-bytes.ts';
import type { ReleasePlan } from './check-release.ts';

interface NotesInputs {
  /** Contains the new release. */
  readonly folder: string;
  readonly plan: ReleasePlan;
  readonly key: PublicKey;
  readonly keys: TrustedKeys;
  /** Paths or URLs of previous releases, one per architecture to compare. */
  readonly previous: readonly string[];
  /** Relative paths are resolved against this folder. */
  readonly cwd: string;
}

/**
 * Writes `notes.md`: the changelog, how to verify the release, and the differences from the previous
 * release as `landfall diff --markdown` prints them.
 * @throws LandfallError USAGE for a previous release of an architecture that is not built; those of
 * `landfall diff`
 */
export async function writeNotes(inputs: NotesInputs, http: HttpClient): Promise<void> {
  const { folder, plan, key, previous } = inputs;
  const sections = [plan.changes, verification(plan, key)];
  for (const source of previous) sections.push(await differences(source, inputs, http));
  await writeFile(
    join(folder, 'notes.md'),
    `${sections.map((text) => text.trim()).join('\n\n')}\n`,
  );
}

function verification({ appliance: { name, version } }: ReleasePlan, key: PublicKey): string {
  const base = releaseName(name, version, 'amd64');
  return `## Verify this release

Key id: \`${formatKeyId(key.id)}\`. Compare it with a second source.

\`\`\`sh
landfall verify ${base}.tar --key release.pub
openssl dgst -sha256 -verify release.pub -signature ${base}.release.json.sig ${base}.release.json
\`\`\``;
}

async function differences(
  source: string,
  { folder, keys, cwd }: NotesInputs,
  http: HttpClient,
): Promise<string> {
  await using before = await openPrevious(source, { cwd, keys }, http);
  await using after = await openSide(folder, await sameKind(before, folder), keys);
  const { report } = await compare({ before, after });
  return printMarkdown(report);
}

/** Returns the file of the new release that is compared: a bundle with a bundle, else the manifest. */
async function sameKind(before: Side, folder: string): Promise<string> {
  if (before.type === 'lock') throw otherInput(before.name, 'is a lock file');
  const { arch } = before.release;
  const files = await readdir(folder);
  const manifest = files.find((file) => file.endsWith(`-${arch}.${manifestName}`));
  if (!manifest) throw otherInput(before.name, `is for ${arch}, which is not built`);
  const bundle = manifest.replace(new RegExp(`\\.${manifestName}$`), '.tar');
  const hasBundle = [bundle, partName(bundle, 0)].some((file) => files.includes(file));
  return before.type === 'bundle' && hasBundle ? bundle : manifest;
}

function otherInput(name: string, why: string): LandfallError {
  return new LandfallError('USAGE', `--previous ${name} ${why}`, {
    hint: 'Pass the release.json or the bundle of the previous release.',
  });
}

/**
 * Opens a previous release. That of a URL of a `….release.json` is verified with its signature; its SBOM
 * is compared if it is served.
 * @throws LandfallError USAGE for another URL; those of `readPublished` and `openSide`
 */
export async function openPrevious(
  source: string,
  { cwd, keys }: Pick<NotesInputs, 'cwd' | 'keys'>,
  http: HttpClient,
): Promise<Side> {
  if (!/^https?:\/\//.test(source)) return await openSide(cwd, source, undefined);
  const url = URL.canParse(source) ? new URL(source) : undefined;
  if (!url?.pathname.endsWith(`.${manifestName}`)) {
    throw new LandfallError('USAGE', `--previous ${source} is not the URL of a release.json`, {
      hint: `Use the URL of a file such as landfall-1.2.0-amd64.${manifestName}.`,
    });
  }
  const { release, manifest, signer } = await readPublished(source, cwd, keys, { http });
  const beside = new URL(url);
  beside.pathname = `${url.pathname.slice(0, -manifestName.length)}${sbom}`;
  return {
    ...{ type: 'manifest', name: source, release, signer, manifestSha256: sha256Hex(manifest) },
    async readSbom() {
      const file = sbomOf(release);
      const bytes = file && (await downloadIfServed(http, beside, file.size));
      return bytes && expectSha256(bytes, file);
    },
    async [Symbol.asyncDispose]() {},
  };
}

async function downloadIfServed(
  http: HttpClient,
  url: URL,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  try {
    return await downloadBytes(url, maxBytes, { http });
  } catch (error) {
    if (error instanceof LandfallError && error.code === 'HTTP_STATUS') return undefined;
    throw error;
  }
}
