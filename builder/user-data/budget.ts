import { LandfallError } from '#contract/errors.ts';
import type { Provider } from './providers.ts';
import type { ServerFile } from './server-file.ts';

/** What every provider takes: the smallest limit of all, in bytes. */
export const hardLimit = 16_384;
/** Above this little is left for a longer list of keys. Bytes. */
export const budget = 12_288;

/**
 * Checks that user-data fits.
 * @param size bytes as they are pasted
 * @param files what is inside, to say what takes the space
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
    const taker = provider && provider.limit <= hardLimit ? provider.name : 'some providers';
    throw new LandfallError(
      'USER_DATA_TOO_LARGE',
      `the user-data is ${size} bytes, ${size - limit} more than ${taker} take`,
      {
        hint: 'Shorten the site: ed25519 keys are a seventh of RSA keys, and further keys can be added on the server. Where the provider takes it, --format gzip makes it a third.',
        problems: largestFirst(files),
      },
    );
  }
  if (size <= budget) return [];
  return [`the user-data is ${size} bytes; from ${hardLimit} bytes on providers refuse it`];
}

function largestFirst(files: readonly ServerFile[]): Array<{ message: string }> {
  return files
    .toSorted((one, other) => other.content.length - one.content.length)
    .map(({ path, content }) => ({ message: `${content.length} bytes are ${path}` }));
}
