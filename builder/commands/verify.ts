import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { type Architecture, architectures } from '#contract/bundle/release-name.ts';
import { type VerifiedBundle, verifyBundle } from '#contract/bundle/verify.ts';
import { formatBytes } from '#contract/text/format-bytes.ts';
import { formatTable } from '#contract/text/table.ts';
import { formatKeyId } from '#contract/trust/keys.ts';
import { paintFor } from '#terminal/paint-for.ts';
import { openBundle } from '../bundle/open-bundle.ts';
import { chooseReporter, type ReportOptions } from '../progress/choose-reporter.ts';
import { printWarnings } from '../progress/print-warnings.ts';
import type { CommandContext } from './context.ts';
import { collect } from './repeatable.ts';
import { keyWarnings, readTrustedKeys, type TrustFlags } from './trust-options.ts';

interface VerifyFlags extends TrustFlags, ReportOptions {
  readonly pinned?: string;
  readonly arch?: Architecture;
}

const example = `
Example:
  landfall verify landfall-1.0.0-amd64.tar --key release.pub

Without --key, the release.pub of \`landfall keygen\` is trusted. Reads the whole bundle once and
unpacks nothing. Exit code 6 means that the bundle is rejected: do not use it.
`;

/** `landfall verify`: verifies the signature and contents of a bundle. */
export function verifyCommand(context: CommandContext): Command {
  return new Command('verify')
    .description('verify that a bundle is complete and signed by a trusted key')
    .argument('<bundle>', 'path of the .tar file')
    .option('--key <file>', 'trusted public key; repeatable', collect, [])
    .option('--recovery-key <file>', 'trusted recovery key')
    .option('--accept-new-keys', 'accept a release that announces other keys, and print both lists')
    .option('--pinned <sha256>', 'required SHA-256 of release.json')
    .addOption(new Option('--arch <arch>', 'required architecture').choices(architectures))
    .option('--quiet', 'print only errors')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', example)
    .action(async (path: string, flags: VerifyFlags) => {
      const keys = await readTrustedKeys(context, flags);
      const reporter = chooseReporter(context, flags);
      const bundle = await openBundle(resolve(context.cwd, path), reporter);
      try {
        const verified = await verifyBundle(bundle.content, {
          keys,
          allowNewKeys: flags.acceptNewKeys,
          pinned: flags.pinned,
          arch: flags.arch,
          now: new Date(),
        });
        reporter.close();
        const warnings = keyWarnings(verified.release, keys);
        if (!flags.json && !flags.quiet) printWarnings(context, warnings);
        if (flags.json) context.stdout.write(`${JSON.stringify(toJson(verified, warnings))}\n`);
        else if (!flags.quiet) context.stdout.write(`${describe(context, verified)}\n`);
      } finally {
        reporter.close();
        await bundle.close();
      }
    });
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
