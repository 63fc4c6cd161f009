import { type ErrorCode, type ErrorDetails, LandfallError } from '../errors.ts';

/**
 * The rules of verification. Every refusal names its rule. The tests require at least one malicious
 * bundle per rule, so an unchecked rule fails a test.
 */
export const rules = {
  'not-truncated': [
    'BUNDLE_TRUNCATED',
    'The bundle is complete: it has every byte that its headers declare.',
  ],
  'canonical-header': [
    'BUNDLE_HEADER',
    'Every member has the canonical tar header for its name, size and time: a regular file with a plain relative path, owner 0, no links, no devices, no extensions.',
  ],
  'one-time': [
    'BUNDLE_HEADER',
    'All members have the same time, the creation time of the release.',
  ],
  'zero-padding': ['BUNDLE_HEADER', 'The padding of the last block of a member is zero.'],
  'head-first': [
    'BUNDLE_HEAD',
    'The head members come first, in order, and no required one is missing.',
  ],
  'head-capped': ['BUNDLE_HEAD', 'No head member exceeds its size limit.'],
  pinned: ['BUNDLE_PINNED', 'If a digest of release.json is pinned, it matches.'],
  'short-signature': [
    'BUNDLE_SIGNATURE',
    'The signature has 1 to 72 bytes, so that openssl verifies all of it.',
  ],
  trusted: ['BUNDLE_UNTRUSTED', 'A trusted key signed release.json.'],
  'same-sigstore': [
    'BUNDLE_SIGNATURE',
    'The Sigstore bundle contains exactly this signature over this release.json.',
  ],
  'same-provenance': [
    'BUNDLE_SIGNATURE',
    'The provenance is signed by the same key and refers to this release.json.',
  ],
  'canonical-manifest': [
    'BUNDLE_MANIFEST',
    'release.json is canonical JSON with known fields in order, values in range and valid keys.',
  ],
  understood: [
    'BUNDLE_MANIFEST',
    'The manifest has schema 1, and this program supports every critical field.',
  ],
  'unique-paths': [
    'BUNDLE_MANIFEST',
    'No two paths are equal, differ only in case, or use a file as a folder; no path is a head member or the unpacked Node.',
  ],
  offsets: ['BUNDLE_MANIFEST', 'The offsets match the positions of the files.'],
  'model-files': [
    'BUNDLE_MANIFEST',
    'Every model file is named by its SHA-256; a full bundle contains every model that it lists.',
  ],
  'recovery-changes-keys': [
    'BUNDLE_KEYS',
    'Only the recovery key may sign a release that changes the trusted keys.',
  ],
  target: ['BUNDLE_WRONG_TARGET', 'The release is for this product and this architecture.'],
  'no-rollback': ['BUNDLE_ROLLBACK', 'The release is not older than the installed one.'],
  'updates-from': [
    'BUNDLE_ROLLBACK',
    'The installed release is not too old for a direct update to this one.',
  ],
  fresh: ['BUNDLE_EXPIRED', 'The release has not expired.'],
  checksums: ['BUNDLE_CHECKSUMS', 'SHA256SUMS matches release.json.'],
  members: [
    'BUNDLE_MEMBER',
    'The head is followed by exactly the files of release.json, in its order, with its sizes.',
  ],
  content: ['BUNDLE_CONTENT', 'Every file has the SHA-256 of release.json.'],
  'nothing-after': [
    'BUNDLE_TRAILING',
    'The archive ends with two zero blocks, without trailing data.',
  ],
} as const satisfies Record<string, readonly [ErrorCode, string]>;

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
  const [code] = rules[rule];
  const hint = adviceByRule[rule] ?? defaultAdvice;
  return Object.assign(new LandfallError(code, found, { ...details, hint }), { rule });
}

/** Returns whether an error is a refusal with a rule. */
export function isRefusal(error: unknown): error is Refusal {
  return error instanceof LandfallError && 'rule' in error;
}
