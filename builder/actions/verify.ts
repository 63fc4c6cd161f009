import { resolve } from 'node:path';
import type { Architecture } from '#contract/bundle/release-name.ts';
import { type VerifiedBundle, verifyBundle } from '#contract/bundle/verify.ts';
import { formatBytes } from '#contract/text/format-bytes.ts';
import { formatTable } from '#contract/text/table.ts';
import { formatKeyId, type TrustedKeys } from '#contract/trust/keys.ts';
import { paintFor } from '#terminal/paint-for.ts';
import { openBundle } from '../bundle/open-bundle.ts';
import { chooseReporter, printWarnings, type ReportOptions } from '../progress/reporter.ts';
import { releasePaths } from '../user-data/release-paths.ts';
import type { CommandContext } from './context.ts';
import { keyWarnings, readTrustedKeys, type TrustFlags } from './trusted-keys.ts';

/** Options of `landfall verify`. */
export interface VerifyFlags extends TrustFlags, ReportOptions {
  readonly pinned?: string;
  readonly arch?: Architecture;
}

/**
 * Verifies a bundle, or each bundle of a folder, and prints the results.
 * @throws LandfallError of `verifyBundle` and of keys
 */
export async function verifyAction(
  context: CommandContext,
  path: string,
  flags: VerifyFlags,
): Promise<void> {
  const paths = await releasePaths([resolve(context.cwd, path)]);
  const keys = await readTrustedKeys(context, flags);
  const results: object[] = [];
  for (const each of paths) {
    const verified = await verify(context, each, keys, flags);
    const warnings = keyWarnings(verified.release, keys);
    results.push(toJson(verified, warnings));
    if (flags.json || flags.quiet) continue;
    printWarnings(context, warnings);
    context.stdout.write(`${describe(context, verified)}\n`);
  }
  if (flags.json) context.stdout.write(`${JSON.stringify(oneOrAll(results))}\n`);
}

async function verify(
  context: CommandContext,
  path: string,
  keys: TrustedKeys,
  flags: VerifyFlags,
): Promise<VerifiedBundle> {
  const reporter = chooseReporter(context, flags);
  const bundle = await openBundle(path, reporter);
  try {
    return await verifyBundle(bundle.content, {
      keys,
      allowNewKeys: flags.acceptNewKeys,
      pinned: flags.pinned,
      arch: flags.arch,
      now: new Date(),
    });
  } finally {
    reporter.close();
    await bundle.close();
  }
}

/** Returns the result for `--json`: that of one bundle, or those of a folder with several. */
export function oneOrAll(results: readonly object[]): object {
  const [only, ...others] = results;
  return only !== undefined && others.length === 0 ? only : { bundles: results };
}

function describe(context: CommandContext, verified: VerifiedBundle): string {
  const { release, signer, manifestSha256, size } = verified;
  const paint = paintFor(context.stdout, context.env);
  return [
    paint('green', `verified: ${release.product} ${release.version} for ${release.arch}`),
    formatTable([
      ['  signed by', `${formatKeyId(signer.key.id)}  (${signer.role} key)`],
      ['  release.json', manifestSha256],
      ['  content', `${release.files.length} files, ${formatBytes(size)}, all verified`],
      ['  expires', release.expires],
    ]),
  ].join('\n');
}

function toJson(verified: VerifiedBundle, warnings: readonly string[]): object {
  const { release, signer, manifestSha256, size } = verified;
  const { product, version, arch, kind, created, expires, files } = release;
  return {
    verified: true,
    ...{ product, version, arch, kind, created, expires, manifestSha256, size },
    files: files.length,
    signer: { keyId: signer.key.id, role: signer.role },
    warnings,
  };
}
