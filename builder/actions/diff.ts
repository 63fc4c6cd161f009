import { announcedKeys } from '#contract/trust/key-change.ts';
import { formatKeyId, type TrustedKeys } from '#contract/trust/keys.ts';
import { paintFor } from '#terminal/paint-for.ts';
import { compare } from '../diff/compare.ts';
import { printMarkdown } from '../diff/print-markdown.ts';
import { printText } from '../diff/print-text.ts';
import { safeJson } from '../diff/report.ts';
import { openSide, type Side } from '../diff/sides.ts';
import { printWarnings } from '../progress/reporter.ts';
import type { CommandContext } from './context.ts';
import { readTrustedKeys, type TrustFlags } from './trusted-keys.ts';

/** Options of `landfall diff`. */
export interface DiffFlags extends TrustFlags {
  readonly markdown?: boolean;
  readonly json?: boolean;
  readonly exitCode?: boolean;
}

/** Compares two releases or two lock files. @throws LandfallError of files, bundles and keys */
export async function diffAction(
  context: CommandContext,
  [first, second]: readonly [string, string],
  flags: DiffFlags,
): Promise<void> {
  const isVerified = flags.key.length > 0 || flags.recoveryKey !== undefined;
  const keys = isVerified ? await readTrustedKeys(context, flags) : undefined;
  await using before = await openSide(context.cwd, first, keys);
  await using after = await openSide(context.cwd, second, keys);
  const warnings = keys ? [before, after].flatMap((side) => keyWarnings(side, keys)) : [];
  const { different, report, json } = await compare({ before, after });
  if (!flags.json) printWarnings(context, warnings);
  const { stdout, env } = context;
  if (flags.json) stdout.write(`${safeJson({ ...json, warnings })}\n`);
  else if (flags.markdown) stdout.write(printMarkdown(report));
  else stdout.write(printText(report, paintFor(stdout, env)));
  if (flags.exitCode && different) context.setExitCode(1);
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
