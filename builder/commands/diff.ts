import { Command, Option } from 'commander';
import { announcedKeys } from '#contract/trust/key-change.ts';
import { formatKeyId, type TrustedKeys } from '#contract/trust/keys.ts';
import { paintFor } from '#terminal/paint-for.ts';
import { compare } from '../diff/compare.ts';
import { printMarkdown } from '../diff/print/print-markdown.ts';
import { printText } from '../diff/print/print-text.ts';
import { safeJson } from '../diff/safe-text.ts';
import { openSide } from '../diff/sides/open-side.ts';
import type { Side } from '../diff/sides/side.ts';
import { printWarnings } from '../progress/print-warnings.ts';
import type { CommandContext } from './context.ts';
import { collect } from './repeatable.ts';
import { readTrustedKeys, type TrustFlags } from './trust-options.ts';

interface DiffFlags extends TrustFlags {
  readonly verbose?: boolean;
  readonly markdown?: boolean;
  readonly json?: boolean;
  readonly exitCode?: boolean;
}

const example = `
Example:
  landfall diff landfall-1.0.0-amd64.tar landfall-1.1.0-amd64.tar --key release.pub
  landfall diff old.release.json new.release.json --markdown
  git show HEAD:appliance.lock.yaml > old.lock.yaml
  landfall diff old.lock.yaml appliance.lock.yaml --markdown

Reads only the head of a bundle and the small files that it compares. Signatures are verified only
with --key. Of a release.json, the packages are compared only if its .sbom.cdx.json is beside it.
`;

/** `landfall diff`: prints the differences between two releases or two lock files. */
export function diffCommand(context: CommandContext): Command {
  return new Command('diff')
    .description('compare two releases, or two lock files')
    .argument('<file>', 'bundle (.tar), release.json (.json) or lock file (.yaml)')
    .argument('<other>', 'release or lock file that replaces it')
    .option('--key <file>', 'trusted public key, to verify both releases; repeatable', collect, [])
    .option('--recovery-key <file>', 'trusted recovery key')
    .option('--verbose', 'also compare the files of the stack as text')
    .option('--markdown', 'print Markdown for pull requests and release notes')
    .addOption(new Option('--json', 'print the result as JSON').conflicts('markdown'))
    .option('--exit-code', 'exit with 1 if there are differences, and with 0 if not')
    .addHelpText('after', example)
    .action(async (first: string, second: string, flags: DiffFlags) => {
      const isVerified = flags.key.length > 0 || flags.recoveryKey !== undefined;
      const keys = isVerified ? await readTrustedKeys(context, flags) : undefined;
      await using before = await openSide(context.cwd, first, keys);
      await using after = await openSide(context.cwd, second, keys);
      const warnings = keys ? [before, after].flatMap((side) => keyWarnings(side, keys)) : [];
      const { different, report, json } = await compare({ before, after }, flags.verbose === true);
      if (!flags.json) printWarnings(context, warnings);
      const { stdout, env } = context;
      if (flags.json) stdout.write(`${safeJson({ ...json, warnings })}\n`);
      else if (flags.markdown) stdout.write(printMarkdown(report));
      else stdout.write(printText(report, paintFor(stdout, env)));
      if (flags.exitCode && different) context.setExitCode(1);
    });
}

/** Accepted keys can be old ones, so only keys that are not among them are worth a warning. */
function keyWarnings(side: Side, { release, recovery }: TrustedKeys): string[] {
  if (side.type === 'lock') return [];
  const announced = announcedKeys(side.release.keys);
  const given = new Set([...release, recovery].map((key) => key?.id));
  const unknown = [...announced.release, ...(announced.recovery ? [announced.recovery] : [])]
    .filter(({ id }) => !given.has(id))
    .map(({ id }) => formatKeyId(id));
  return unknown.length > 0
    ? [`${side.name} announces keys that are not given: ${unknown.join('; ')}`]
    : [];
}
