import { LandfallError } from '#contract/errors.ts';
import { findProvider, type Provider } from './providers.ts';
import type { ServerFile } from './server-file.ts';

/** The smallest limit of all providers, in bytes. */
export const hardLimit = 16_384;
/** Size in bytes that Tencent Cloud accepts in any case: its limit may count base64. */
export const budget = 12_288;

/**
 * Checks that user-data is within the limits.
 * @param size size of the user-data in bytes
 * @param files files in the user-data, to list the largest ones in the error
 * @returns warnings
 * @throws LandfallError USER_DATA_TOO_LARGE
 */
export function checkBudget(
  size: number,
  files: readonly ServerFile[],
  provider: Provider | undefined,
): string[] {
  const limit = Math.min(hardLimit, provider?.limit ?? hardLimit);
  if (size > limit) {
    const limitedBy = provider && provider.limit <= hardLimit ? provider.name : 'some providers';
    throw new LandfallError(
      'USER_DATA_TOO_LARGE',
      `the user-data is too large: ${size} bytes, ${size - limit} more than the limit of ${limitedBy}`,
      {
        hint: 'Shorten the site, for example with ed25519 instead of RSA keys, or use --format gzip if the provider accepts it.',
        problems: largestFirst(files),
      },
    );
  }
  const isTencent = provider === undefined || provider === findProvider('tencent');
  if (size <= budget || !isTencent) return [];
  return [
    `the user-data is ${size} bytes: Tencent Cloud may reject more than ${budget}, other providers accept ${hardLimit}`,
  ];
}

function largestFirst(files: readonly ServerFile[]): Array<{ message: string }> {
  return files
    .toSorted((one, other) => other.content.length - one.content.length)
    .map(({ path, content }) => ({ message: `${path}: ${content.length} bytes` }));
}
