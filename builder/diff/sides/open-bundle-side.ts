import { ByteReader } from '#contract/bundle/byte-reader.ts';
import { decodeRelease } from '#contract/bundle/decode-release.ts';
import { manifestName } from '#contract/bundle/head.ts';
import { judgeLayout } from '#contract/bundle/layout.ts';
import { readHead } from '#contract/bundle/read-head.ts';
import { verifyHead } from '#contract/bundle/verify.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import type { TrustedKeys } from '#contract/trust/keys.ts';
import { openBundle } from '../../bundle/open-bundle.ts';
import { silentReporter } from '../../progress/reporter.ts';
import { expectSha256 } from './expect-sha256.ts';
import type { ReleaseSide } from './side.ts';

type Head = Pick<ReleaseSide, 'release' | 'manifestSha256' | 'signer'> & {
  readonly headSize: number;
};

/**
 * Opens a bundle and reads its head. The signature is verified only if trusted keys are given.
 * @param name the path as the user wrote it
 * @throws LandfallError FILE_MISSING, FILE_ACCESS, BUNDLE_…
 */
export async function openBundleSide(
  path: string,
  name: string,
  keys: TrustedKeys | undefined,
): Promise<ReleaseSide> {
  const bundle = await openBundle(path, silentReporter);
  try {
    const head = await (keys ? signedHead(bundle.content, keys) : unsignedHead(bundle.content));
    return {
      type: 'bundle',
      name,
      ...head,
      async read(wanted, maxBytes) {
        const file = head.release.files.find((each) => each.path === wanted);
        // A pipe has no size, and only a regular file can be read at an offset.
        if (!file || file.size > maxBytes || bundle.size === 0) return undefined;
        return expectSha256(await bundle.readAt(head.headSize + file.offset, file.size), file);
      },
      [Symbol.asyncDispose]: () => bundle.close(),
    };
  } catch (error) {
    await bundle.close();
    throw error;
  }
}

/** Accepts a release that changes the keys and one that has expired: the report shows both. */
async function signedHead(content: AsyncIterable<Buffer>, keys: TrustedKeys): Promise<Head> {
  return verifyHead(content, { keys, allowNewKeys: true });
}

async function unsignedHead(content: AsyncIterable<Buffer>): Promise<Head> {
  const reader = new ByteReader(content);
  try {
    const { members, size } = await readHead(reader);
    const manifest = members.get(manifestName) ?? Buffer.alloc(0);
    const release = decodeRelease(manifest);
    judgeLayout(release);
    return { release, manifestSha256: sha256Hex(manifest), signer: undefined, headSize: size };
  } finally {
    await reader.close();
  }
}
