import { verifyBundle } from '#contract/bundle/verify.ts';
import type { PublicKey } from '#contract/trust/keys.ts';
import { openBundle } from '../bundle/open-bundle.ts';
import type { PublishedBundle } from '../bundle/publish-bundle.ts';
import { silentReporter } from '../progress/reporter.ts';
import type { Check } from './check.ts';

/** Verifies the bundles with the code that the server uses. @throws LandfallError BUNDLE_… */
export async function checkWithLandfall(
  built: readonly PublishedBundle[],
  key: PublicKey,
): Promise<Check> {
  let files = 0;
  for (const { path, release } of built) {
    const bundle = await openBundle(path, silentReporter);
    try {
      const { arch } = release;
      const keys = { release: [key], recovery: undefined };
      const verified = await verifyBundle(bundle.content, { keys, arch, now: new Date() });
      files += verified.release.files.length;
    } finally {
      await bundle.close();
    }
  }
  return { tool: 'landfall verify', state: 'ok', detail: `signature and ${files} files` };
}
