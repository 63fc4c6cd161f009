import { Command, Option } from 'commander';
import type { OptionsOf } from '#cli/options-of.ts';
import { paintFor } from '#terminal/paint-for.ts';
import type { CommandContext } from './context.ts';
import { collect } from './options.ts';

const example = `
Example:
  landfall diff landfall-1.0.0-amd64.tar landfall-1.1.0-amd64.tar --key release.pub
  landfall diff old.release.json new.release.json --markdown
  git show HEAD:appliance.lock.yaml > old.lock.yaml
  landfall diff old.lock.yaml appliance.lock.yaml --markdown

Reads only the head of a bundle and its SBOM. Signatures are verified only
with --key. Of a release.json, the packages are compared only if its .sbom.cdx.json is beside it.
`;

/** `landfall diff`: prints the differences between two releases or two lock files. */
export function diffCommand(context: CommandContext) {
  return definition().action((first, second, flags) => diff(context, [first, second], flags));
}

const definition = () =>
  new Command('diff')
    .description('compare two releases, or two lock files')
    .argument('<file>', 'bundle (.tar or any part), release.json (.json) or lock file (.yaml)')
    .argument('<other>', 'release or lock file that replaces it')
    .option('--key <file>', 'trusted public key, to verify both releases; repeatable', collect, [])
    .option('--recovery-key <file>', 'trusted recovery key')
    .option('--markdown', 'print Markdown for pull requests and release notes')
    .addOption(new Option('--json', 'print the result as JSON').conflicts('markdown'))
    .option('--exit-code', 'exit with 1 if there are differences, and with 0 if not')
    .addHelpText('after', example);

type DiffFlags = OptionsOf<typeof definition>;

/** Compares two releases or two lock files. @throws LandfallError of files, bundles and keys */
async function diff(
  context: CommandContext,
  [first, second]: readonly [string, string],
  flags: DiffFlags,
): Promise<void> {
  const { compare } = await import('../bundle/diff/compare.ts');
  const { printMarkdown } = await import('../bundle/diff/print-markdown.ts');
  const { printText } = await import('../bundle/diff/print-text.ts');
  const { safeJson } = await import('../bundle/diff/report.ts');
  const { readSide } = await import('../bundle/diff/sides.ts');
  const { printWarnings } = await import('../base/progress/reporter.ts');
  const { readTrustedKeys, unknownKeyWarnings } = await import('./keys.ts');
  const isVerified = flags.key.length > 0 || flags.recoveryKey !== undefined;
  const keys = isVerified ? await readTrustedKeys(context, flags) : undefined;
  const before = await readSide(context.cwd, first, keys);
  const after = await readSide(context.cwd, second, keys);
  const warnings = [before, after].flatMap((side) =>
    keys && side.type !== 'lock' ? unknownKeyWarnings(side.name, side.release, keys) : [],
  );
  const { different, report, json } = compare({ before, after });
  if (!flags.json) printWarnings(context, warnings);
  const { stdout, env } = context;
  if (flags.json) stdout.write(`${safeJson({ ...json, warnings })}\n`);
  else if (flags.markdown) stdout.write(printMarkdown(report));
  else stdout.write(printText(report, paintFor(stdout, env)));
  if (flags.exitCode && different) context.setExitCode(1);
}
