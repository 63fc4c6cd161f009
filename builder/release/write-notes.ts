import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { sbom } from '#contract/bundle/bundle-paths.ts';
import { headMembers, manifestName, signatureName } from '#contract/bundle/head.ts';
import { partName } from '#contract/bundle/part-name.ts';
import { releaseName } from '#contract/bundle/release-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { formatKeyId, type PublicKey, type TrustedKeys } from '#contract/trust/keys.ts';
import type { HttpClient } from '#http/client.ts';
import { compare } from '../diff/compare.ts';
import { printMarkdown } from '../diff/print-markdown.ts';
import { openSide, type Side } from '../diff/sides.ts';
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
  await using local = await openPrevious(source, http);
  await using before = await openSide(cwd, local.path, local.isDownloaded ? keys : undefined);
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

/** A previous release on this machine. */
interface LocalRelease extends AsyncDisposable {
  readonly path: string;
  /** Whether it was downloaded, so that its signature must be verified. */
  readonly isDownloaded: boolean;
}

/** Limit of the SBOM in bytes. */
const maxSbom = 64 * 1024 * 1024;

/**
 * Returns a previous release as a file. A URL of a `….release.json` is downloaded with its signature
 * and, if it is served, its SBOM.
 * @throws LandfallError USAGE for another URL; NETWORK_…, HTTP_…
 */
export async function openPrevious(source: string, http: HttpClient): Promise<LocalRelease> {
  if (!/^https?:\/\//.test(source)) {
    return { path: source, isDownloaded: false, async [Symbol.asyncDispose]() {} };
  }
  const url = URL.canParse(source) ? new URL(source) : undefined;
  const name = url && basename(url.pathname);
  if (!url || !name?.endsWith(`.${manifestName}`)) {
    throw new LandfallError('USAGE', `--previous ${source} is not the URL of a release.json`, {
      hint: `Use the URL of a file such as landfall-1.2.0-amd64.${manifestName}.`,
    });
  }
  const folder = await mkdtemp(join(tmpdir(), 'landfall-previous-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const base = name.slice(0, -manifestName.length);
    for (const member of [manifestName, signatureName]) {
      const bytes = await downloadBytes(new URL(`${base}${member}`, url), limitOf(member), {
        http,
      });
      await writeFile(join(folder, `${base}${member}`), bytes);
    }
    const document = await downloadIfServed(http, new URL(`${base}${sbom}`, url));
    if (document) await writeFile(join(folder, `${base}${sbom}`), document);
    return { path: join(folder, name), isDownloaded: true, [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

function limitOf(member: string): number {
  return headMembers.find(({ name }) => name === member)?.maxBytes ?? 0;
}

async function downloadIfServed(http: HttpClient, url: URL): Promise<Uint8Array | undefined> {
  try {
    return await downloadBytes(url, maxSbom, { http });
  } catch (error) {
    if (error instanceof LandfallError && error.code === 'HTTP_STATUS') return undefined;
    throw error;
  }
}
