import { formatBytes } from '#contract/text/format-bytes.ts';
import { unresolved } from '../lock/lock-values.ts';
import type { Shown } from './report.ts';

/** Number of hex digits of a shortened digest. */
const digits = 12;

/** Shows a size in bytes, exactly if the rounded sizes are equal. */
export function shownSize(bytes: number | null | typeof unresolved): Shown {
  if (typeof bytes !== 'number') return { short: unresolved };
  return { short: formatBytes(bytes), full: `${bytes} B` };
}

/** Shows the start of a digest. */
export function shownDigest(digest: string | null): Shown {
  if (digest === null) return { short: unresolved };
  const hex = digest.replace(/^sha256:/, '');
  return hex.length > digits ? { short: `${hex.slice(0, digits)}…`, full: hex } : { short: hex };
}

/** Shows a digest shortened, and any other text as it is. */
export function shownFact(text: string): Shown {
  return /^(?:sha256:)?[0-9a-f]{64}$/.test(text) ? shownDigest(text) : { short: text };
}
