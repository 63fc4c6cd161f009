import { decodeRelease } from '#contract/bundle/decode-release.ts';
import { judgeLayout } from '#contract/bundle/layout.ts';
import { judgeModels } from '#contract/bundle/model-files.ts';
import { LandfallError } from '#contract/errors.ts';
import { judgeRelease } from '#contract/trust/trust.ts';
import { releaseKey } from '../simulator/keys.ts';
import { serverPolicy } from '../simulator/verdict.ts';

/**
 * Whether the builder would make user-data of a release with this manifest. The bootstrap counts on
 * it: it asks for the pin, and judges of a manifest only what it uses (decision 25).
 */
export function isPinnable(manifest: Buffer): boolean {
  const policy = { ...serverPolicy, installed: undefined, now: undefined };
  try {
    const release = decodeRelease(manifest);
    judgeRelease(release, { key: releaseKey.public, role: 'release' }, policy);
    judgeLayout(release);
    judgeModels(release);
    return true;
  } catch (error) {
    if (error instanceof LandfallError) return false;
    throw error;
  }
}
