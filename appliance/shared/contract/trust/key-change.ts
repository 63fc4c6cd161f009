import type { Release } from '../bundle/release.ts';
import { say } from '../text/language.ts';
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
  const list = (keys: TrustedKeys | undefined) =>
    (keys ? describe(keys).join(', ') : '') || say('none', '无');
  const [before, after] = [list(trusted), list(announced)];
  return say(`trusted: ${before}; announced: ${after}`, `受信任：${before}；公布：${after}`);
}

function describe({ release, recovery }: TrustedKeys): string[] {
  const lines = idsOf(release).map((id) =>
    say(`${formatKeyId(id)} (release key)`, `${formatKeyId(id)}（发布密钥）`),
  );
  if (!recovery) return lines;
  const id = formatKeyId(recovery.id);
  return [...lines, say(`${id} (recovery key)`, `${id}（恢复密钥）`)];
}

function fingerprint({ release, recovery }: TrustedKeys): string {
  return [...idsOf(release), recovery?.id ?? 'none'].join();
}

function idsOf(keys: readonly PublicKey[]): string[] {
  return [...new Set(keys.map(({ id }) => id))].sort();
}
