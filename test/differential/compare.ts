import { nodeTarball } from '#contract/bundle/bundle-paths.ts';
import type { Rule } from '#contract/bundle/refusals.ts';
import { isPinnable } from './pinnable.ts';
import type { Verdict } from './verdict.ts';

/** Evidence for other tools, which the bootstrap ignores (decision 25). */
const evidenceRules: readonly Rule[] = ['same-sigstore', 'checksums', 'same-provenance'];

/**
 * Returns a difference between the verdicts that no decision allows; undefined if they agree.
 * @param manifest as it was signed
 */
export function differenceOf(
  manifest: Buffer,
  verifier: Verdict,
  bootstrap: Verdict,
): string | undefined {
  if (verifier.accepted && bootstrap.accepted) {
    const [one, other] = [verifier.files.join('\n'), bootstrap.files.join('\n')];
    return one === other ? undefined : `the files differ:\n${one}\n-- bootstrap:\n${other}`;
  }
  if (verifier.accepted && !bootstrap.accepted) {
    if (!canBeStarted(verifier.files)) return undefined;
    return `the verifier accepts it, the bootstrap does not: ${bootstrap.why}`;
  }
  if (!verifier.accepted && bootstrap.accepted) {
    if (verifier.rule && evidenceRules.includes(verifier.rule)) return undefined;
    if (!isPinnable(manifest)) return undefined;
    return `the bootstrap accepts it, the verifier does not: ${verifier.rule}, ${verifier.why}`;
  }
  return undefined;
}

/** The bootstrap unpacks Node; a release without it cannot run (decision 25). */
function canBeStarted(files: readonly string[]): boolean {
  return files.some((file) => file.startsWith(`${nodeTarball} `));
}
