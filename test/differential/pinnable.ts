import { decodeRelease } from '#contract/bundle/decode-release.ts';
import { checkLayout } from '#contract/bundle/layout.ts';
import { checkModels } from '#contract/bundle/model-files.ts';
import { LandfallError } from '#contract/errors.ts';
import { checkRelease } from '#contract/trust/trust.ts';
import { releaseKey } from '../simulator/keys.ts';
import { serverPolicy } from '../simulator/verdict.ts';

/**
 * Returns whether the builder would create user-data for this manifest. The bootstrap relies on
 * it: it checks the pin and only the parts of a manifest that it uses (decision 25).
 */
export function isPinnable(manifest: Buffer): boolean {
  const policy = { ...serverPolicy, installed: undefined, now: undefined };
  try {
    const release = decodeRelease(manifest);
    checkRelease(release, { key: releaseKey.public, role: 'release' }, policy);
    checkLayout(release);
    checkModels(release);
    return true;
  } catch (error) {
    if (error instanceof LandfallError) return false;
    throw error;
  }
}
