import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { manifestName } from '#contract/bundle/head.ts';
import { releaseName } from '#contract/bundle/release-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { formatBytes } from '#contract/text/amount.ts';
import { formatTable } from '#contract/text/table.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import { formatKeyId } from '#contract/trust/keys.ts';
import { paintFor } from '#terminal/paint-for.ts';
import { printWarnings } from '../base/progress/reporter.ts';
import { costOf, formatCost } from '../base/progress/statistics.ts';
import { type PublishedRelease, readPublished } from '../bundle/reproduce/published-release.ts';
import type { RebuiltBundle } from '../bundle/reproduce/rebuild-bundle.ts';
import { reproduce } from '../bundle/reproduce/reproduce.ts';
import type { CommandContext } from './context.ts';
import { readTrustedKeys } from './keys.ts';
import { type NetworkFlags, withBuildContext } from './network.ts';

/** Options of `landfall build` that `--reproduce` reads. */
export interface ReproduceFlags extends NetworkFlags {
  readonly full?: boolean;
  readonly config: string;
  readonly output: string;
  readonly key?: string;
}

/** The appliance that the checkout or the package contains. */
const ownConfig = fileURLToPath(new URL('../inputs/appliance.yaml', import.meta.url));

/**
 * Reproduces a published release and prints the result.
 * @throws LandfallError of `readPublished` and `reproduce`
 */
export async function reproduceRelease(
  context: CommandContext,
  source: string,
  flags: ReproduceFlags,
): Promise<void> {
  const { cwd, stdout } = context;
  const started = performance.now();
  const { key } = flags;
  const keys = key === undefined ? undefined : await readTrustedKeys(context, { key: [key] });
  await withBuildContext(context, flags, async (buildContext, reporter) => {
    const published = await readPublished(source, cwd, keys, buildContext);
    const full = flags.full ? bundlePaths(context, source, flags, published) : undefined;
    const config = configPath(cwd, flags.config);
    const rebuilt = await reproduce(published, { config, full }, buildContext);
    const cost = costOf(buildContext.statistics, started);
    reporter.close();
    const warnings = warningsOf(published, source);
    if (flags.json) {
      stdout.write(`${JSON.stringify({ ...toJson(published, rebuilt), warnings, cost })}\n`);
      return;
    }
    if (flags.quiet) return;
    printWarnings(context, warnings);
    stdout.write(`${describe(context, config, published, rebuilt)}\n${formatCost(cost)}\n`);
  });
}

/** Returns the appliance of the user's folder or, if there is none, the one of this program. */
function configPath(cwd: string, option: string): string {
  const path = resolve(cwd, option);
  return option === 'appliance.yaml' && !existsSync(path) ? ownConfig : path;
}

/** @throws LandfallError USAGE for a URL, because the head of the bundle must be beside the manifest */
function bundlePaths(
  { cwd }: CommandContext,
  source: string,
  { output }: ReproduceFlags,
  { release: { product, version, arch } }: PublishedRelease,
): { published: string; output: string } {
  const name = `${releaseName(product, version, arch)}.tar`;
  const path = resolve(cwd, source);
  if (!/^https?:/i.test(source) && basename(path).endsWith(`.${manifestName}`)) {
    const published = `${path.slice(0, -manifestName.length)}tar`;
    return { published, output: join(resolve(cwd, output), name) };
  }
  throw new LandfallError('USAGE', '--full needs the published bundle beside its release.json', {
    hint: `Download ${name} and its ${manifestName} into one folder.`,
  });
}

function warningsOf({ signer }: PublishedRelease, source: string): string[] {
  return signer ? [] : [`the signature is not verified: ${source}.sig is missing`];
}

function describe(
  context: CommandContext,
  config: string,
  { release, manifest, signer }: PublishedRelease,
  rebuilt: RebuiltBundle | undefined,
): string {
  const { product, version, arch, kind, files } = release;
  const size = files.reduce((sum, file) => sum + file.size, 0);
  const paint = paintFor(context.stdout, context.env);
  return [
    paint('green', `reproduced: ${product} ${version} for ${arch}, ${kind}`),
    formatTable([
      ['  source', config],
      ['  release.json', `${sha256Hex(manifest)}, identical`],
      ['  content', `${files.length} files, ${formatBytes(size)}`],
      ...(signer ? [['  signed by', `${formatKeyId(signer.key.id)}  (${signer.role} key)`]] : []),
      ...(rebuilt ? [['  bundle', `${rebuilt.path}, identical, sha256 ${rebuilt.sha256}`]] : []),
    ]),
  ].join('\n');
}

function toJson(
  { release, manifest, signer }: PublishedRelease,
  bundle: RebuiltBundle | undefined,
): object {
  const { product, version, arch, kind } = release;
  return {
    reproduced: true,
    ...{ product, version, arch, kind, manifestSha256: sha256Hex(manifest) },
    signer: signer ? { keyId: signer.key.id, role: signer.role } : null,
    bundle: bundle ?? null,
  };
}
