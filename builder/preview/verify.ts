import { type VerifiedBundle, verifyBundle } from '#contract/bundle/verify.ts';
import type { TrustPolicy } from '#contract/trust/trust.ts';
import { openBundle } from '../bundle/open-bundle.ts';
import type { Reporter } from '../progress/reporter.ts';

/**
 * Verifies a whole bundle before anything in it is used.
 * @throws LandfallError of `verifyBundle` and `openBundle`; the reason of the signal
 */
export async function verifyForPreview(
  path: string,
  policy: TrustPolicy,
  reporter: Reporter,
  signal: AbortSignal,
): Promise<VerifiedBundle> {
  const bundle = await openBundle(path, reporter);
  try {
    return await verifyBundle(untilAborted(bundle.content, signal), policy);
  } finally {
    await bundle.close();
  }
}

async function* untilAborted(
  content: AsyncIterable<Buffer>,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    signal.throwIfAborted();
    yield chunk;
  }
}
