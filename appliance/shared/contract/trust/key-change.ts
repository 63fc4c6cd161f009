import type { Release } from '../bundle/release.ts';
import { formatKeyId, type PublicKey, type TrustedKeys, trustedKeysOf } from './keys.ts';

/** A change of trusted keys: both lists, for comparison by the user. */
interface KeyChange {
  readonly trusted: TrustedKeys;
  /** Undefined if the document that announces them is unreadable. */
  readonly announced: TrustedKeys | undefined;
}

/**
 * Compares the keys of a release with the trusted ones, ignoring order and duplicates. Undefined if
 * they are the same.
 */
export function keyChangeOf({ keys }: Release, trusted: TrustedKeys): KeyChange | undefined {
  const announced = trustedKeysOf(keys);
  if (fingerprint(trusted) === fingerprint(announced)) return undefined;
  return { trusted, announced };
}

/** Formats a key change as one line. */
export function formatKeyChange({ trusted, announced }: KeyChange): string {
  const list = (keys: TrustedKeys | undefined) => (keys ? describe(keys).join(', ') : '') || 'none';
  return `trusted: ${list(trusted)}; announced: ${list(announced)}`;
}

function describe({ release, recovery }: TrustedKeys): string[] {
  const lines = idsOf(release).map((id) => `${formatKeyId(id)} (release key)`);
  return recovery ? [...lines, `${formatKeyId(recovery.id)} (recovery key)`] : lines;
}

function fingerprint({ release, recovery }: TrustedKeys): string {
  return [...idsOf(release), recovery?.id ?? 'none'].join();
}

function idsOf(keys: readonly PublicKey[]): string[] {
  return [...new Set(keys.map(({ id }) => id))].sort();
}
