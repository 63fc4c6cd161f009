import { type ErrorCode, type ErrorDetails, LandfallError } from '../errors.ts';

/**
 * The rules of verification with their codes; `docs/errors.md` states what each requires. Every
 * refusal names its rule. The tests require at least one malicious bundle per rule, so an unchecked
 * rule fails a test.
 */
export const rules = {
  'not-truncated': 'BUNDLE_TRUNCATED',
  'canonical-header': 'BUNDLE_HEADER',
  'one-time': 'BUNDLE_HEADER',
  'zero-padding': 'BUNDLE_HEADER',
  'head-first': 'BUNDLE_HEAD',
  'head-capped': 'BUNDLE_HEAD',
  pinned: 'BUNDLE_PINNED',
  'short-signature': 'BUNDLE_SIGNATURE',
  trusted: 'BUNDLE_UNTRUSTED',
  'same-sigstore': 'BUNDLE_SIGNATURE',
  'same-provenance': 'BUNDLE_SIGNATURE',
  'canonical-manifest': 'BUNDLE_MANIFEST',
  understood: 'BUNDLE_MANIFEST',
  'unique-paths': 'BUNDLE_MANIFEST',
  offsets: 'BUNDLE_MANIFEST',
  'model-files': 'BUNDLE_MANIFEST',
  'recovery-changes-keys': 'BUNDLE_KEYS',
  target: 'BUNDLE_WRONG_TARGET',
  'no-rollback': 'BUNDLE_ROLLBACK',
  'updates-from': 'BUNDLE_ROLLBACK',
  fresh: 'BUNDLE_EXPIRED',
  checksums: 'BUNDLE_CHECKSUMS',
  members: 'BUNDLE_MEMBER',
  content: 'BUNDLE_CONTENT',
  'nothing-after': 'BUNDLE_TRAILING',
} as const satisfies Record<string, ErrorCode>;

export type Rule = keyof typeof rules;

const adviceByRule: Partial<Record<Rule, string>> = {
  'not-truncated': 'Download the bundle again; an interrupted download can be resumed.',
  trusted:
    'Do not use this bundle. Compare the key ID with the published one, and pass a key that you trust with --key.',
  'recovery-changes-keys':
    'Compare the new key IDs with the published ones, then pass every key with --key and --recovery-key, or accept the change with --accept-new-keys.',
  pinned:
    'Create the user-data again from the release to install; it was created for another build of this release.',
  understood: 'Update in steps: install the listed release first.',
  fresh: 'Check the clock of this machine with `date -u`, then look for a newer release.',
  'no-rollback':
    'Install an older release on a new server with its user-data; downgrades are not supported.',
  'updates-from': 'Update to an intermediate release first.',
  target:
    'Download the bundle for this machine: `uname -m` prints x86_64 for amd64, aarch64 for arm64.',
};

const defaultAdvice =
  'Do not use this bundle. Download it again from the project and compare the key ID.';

/** The error of a violated rule. Programs compare the code; tests also compare the rule. */
type Refusal = LandfallError & { readonly rule: Rule };

/** Returns the refusal for a violated rule, with its code, message and hint. */
export function refusal(
  rule: Rule,
  found: string,
  details: Pick<ErrorDetails, 'problems' | 'cause'> = {},
): Refusal {
  const hint = adviceByRule[rule] ?? defaultAdvice;
  return Object.assign(new LandfallError(rules[rule], found, { ...details, hint }), { rule });
}
