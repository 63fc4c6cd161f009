import { readdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { manifestName } from '#contract/bundle/head.ts';
import { partName, releaseName } from '#contract/bundle/release-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { formatKeyId, type PublicKey, type TrustedKeys } from '#contract/trust/keys.ts';
import { compare } from '../../bundle/diff/compare.ts';
import { printMarkdown } from '../../bundle/diff/print-markdown.ts';
import { readSide, type Side } from '../../bundle/diff/sides.ts';
import type { ReleasePlan } from './check-release.ts';

interface NotesInputs {
  /** Contains the new release. */
  readonly folder: string;
  readonly plan: ReleasePlan;
  readonly key: PublicKey;
  readonly keys: TrustedKeys;
  /** Paths of previous releases, one per architecture to compare. */
  readonly previous: readonly string[];
}

/**
 * Writes `notes.md`: the changelog, how to verify the release, and the differences from the previous
 * release as `landfall diff --markdown` prints them. Previous releases are verified with the same keys.
 * @throws LandfallError USAGE for a previous release of an architecture that is not built; those of
 * `landfall diff`
 */
export async function writeNotes(inputs: NotesInputs): Promise<void> {
  const { folder, plan, key, previous } = inputs;
  const sections = [plan.changes, verification(plan, key)];
  for (const path of previous) sections.push(await differences(path, inputs));
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

async function differences(path: string, { folder, keys }: NotesInputs): Promise<string> {
  const before = await readSide(dirname(path), basename(path), keys);
  const after = await readSide(folder, await sameKind(before, folder), keys);
  const { report } = compare({ before, after });
  return printMarkdown(report);
}

/** Returns the file of the new release that is compared: a bundle with a bundle, else the manifest. */
async function sameKind(before: Side, folder: string): Promise<string> {
  const files = await readdir(folder);
  // A lock file is rejected before, because it has no signature.
  const arch = before.type === 'lock' ? undefined : before.release.arch;
  const manifest = files.find((file) => file.endsWith(`-${arch}.${manifestName}`));
  if (!manifest) {
    throw new LandfallError(
      'USAGE',
      `--previous ${before.name} is for ${arch}, which is not built`,
      {
        hint: 'Pass the release.json or the bundle of the previous release.',
      },
    );
  }
  const bundle = `${manifest.slice(0, -manifestName.length)}tar`;
  const hasBundle = [bundle, partName(bundle, 0)].some((file) => files.includes(file));
  return before.type === 'bundle' && hasBundle ? bundle : manifest;
}
