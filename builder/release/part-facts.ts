import { ByteReader } from '#contract/bundle/byte-reader.ts';
import { decodeRelease } from '#contract/bundle/decode-release.ts';
import { manifestName } from '#contract/bundle/head.ts';
import { readHead } from '#contract/bundle/read-head.ts';
import { openBundle } from '../bundle/open-bundle.ts';
import { factVariables } from '../package/release-facts.ts';
import { silentReporter } from '../progress/reporter.ts';

/**
 * Returns the variable that describes the parts of bundles to the users of a package; nothing if no
 * bundle is in parts, or if the package describes no release.
 * @param facts the environment of `factEnvironment`
 * @throws LandfallError FILE_MISSING, BUNDLE_…
 */
export async function partFacts(
  facts: NodeJS.ProcessEnv,
  bundles: readonly string[],
): Promise<NodeJS.ProcessEnv> {
  if (Object.keys(facts).length === 0) return {};
  const sizes = (await Promise.all(bundles.map(sizeOf))).filter((text) => text !== undefined);
  return sizes.length > 0 ? { [factVariables.partSizes]: sizes.join(' ') } : {};
}

async function sizeOf(path: string): Promise<string | undefined> {
  const bundle = await openBundle(path, silentReporter);
  try {
    if (bundle.partSize === undefined) return undefined;
    const { members } = await readHead(new ByteReader(bundle.content));
    const { arch } = decodeRelease(members.get(manifestName) ?? Buffer.alloc(0));
    return `${arch}=${bundle.partSize}`;
  } finally {
    await bundle.close();
  }
}
