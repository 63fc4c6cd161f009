import { type ErrorCode, type ErrorDetails, LandfallError } from '../errors.ts';

/**
 * What a verifier insists on, one rule a line. Every refusal names its rule; the tests walk the
 * table and want at least one hostile bundle for each, so a rule that nothing checks fails a test.
 */
export const rules = {
  'not-truncated': [
    'BUNDLE_TRUNCATED',
    'The bundle is whole: it has every byte that its headers announce.',
  ],
  'canonical-header': [
    'BUNDLE_HEADER',
    'Every member has the one tar header that its name, size and time allow: a regular file with a plain relative path, owner 0, no links, no devices, no extensions.',
  ],
  'one-time': [
    'BUNDLE_HEADER',
    'All members carry the same time, the one at which the release was created.',
  ],
  'zero-padding': ['BUNDLE_HEADER', 'What fills the last block of a member is zeros.'],
  'head-first': [
    'BUNDLE_HEAD',
    'The head members come first, in their order, and no required one is missing.',
  ],
  'head-capped': ['BUNDLE_HEAD', 'No head member is larger than its cap.'],
  pinned: ['BUNDLE_PINNED', 'Where a digest of release.json is pinned, it is this one.'],
  'short-signature': [
    'BUNDLE_SIGNATURE',
    'The signature is 1 to 72 bytes, so that openssl looks at all of it.',
  ],
  trusted: ['BUNDLE_UNTRUSTED', 'A trusted key signed release.json.'],
  'same-sigstore': [
    'BUNDLE_SIGNATURE',
    'The Sigstore bundle carries this signature over this release.json and nothing else.',
  ],
  'same-provenance': [
    'BUNDLE_SIGNATURE',
    'The provenance is signed by the same key and is about this release.json.',
  ],
  'canonical-manifest': [
    'BUNDLE_MANIFEST',
    'release.json is canonical JSON with known fields, in their order and ranges; the keys it announces are keys.',
  ],
  understood: [
    'BUNDLE_MANIFEST',
    'The manifest has schema 1, and this program knows every field that it calls critical.',
  ],
  'unique-paths': [
    'BUNDLE_MANIFEST',
    'No two paths are equal, differ in case only, or are file and folder at once; none is a head member or the unpacked Node.',
  ],
  offsets: ['BUNDLE_MANIFEST', 'The offsets are where the files are.'],
  'model-files': [
    'BUNDLE_MANIFEST',
    'Every file among the models is named by its SHA-256; a full bundle carries every model that it names.',
  ],
  'recovery-changes-keys': [
    'BUNDLE_KEYS',
    'Only the recovery key may sign a release that changes the trusted keys.',
  ],
  target: ['BUNDLE_WRONG_TARGET', 'The release is for this product and this architecture.'],
  'no-rollback': ['BUNDLE_ROLLBACK', 'The release is not older than the installed one.'],
  'updates-from': [
    'BUNDLE_ROLLBACK',
    'The installed release is not too old to update straight to this one.',
  ],
  fresh: ['BUNDLE_EXPIRED', 'The release has not expired.'],
  checksums: ['BUNDLE_CHECKSUMS', 'SHA256SUMS says what release.json says.'],
  members: [
    'BUNDLE_MEMBER',
    'After the head come exactly the files that release.json lists, in its order, with its sizes.',
  ],
  content: ['BUNDLE_CONTENT', 'Every file has the SHA-256 that release.json gives.'],
  'nothing-after': [
    'BUNDLE_TRAILING',
    'The archive ends with two zero blocks, and nothing follows.',
  ],
} as const satisfies Record<string, readonly [ErrorCode, string]>;

export type Rule = keyof typeof rules;

const adviceByRule: Partial<Record<Rule, string>> = {
  'not-truncated': 'Download the bundle again; a download that broke off can be resumed.',
  trusted:
    'Do not use it. Compare the key id with the one that the project publishes elsewhere; a key that you have can be given with --key.',
  'recovery-changes-keys':
    'Compare the announced key ids with those that the project publishes elsewhere; give every key with --key and --recovery-key, or accept the change with --accept-new-keys.',
  pinned:
    'The user-data was made for another build of this release. Make it again from the release you mean to install.',
  understood: 'Update in steps: install the named release first.',
  fresh: 'Look for a newer release. Check the clock of this machine first: `date -u`.',
  'no-rollback':
    'An older release is never taken as an update. Give its user-data to a fresh server.',
  'updates-from': 'Update to the oldest release in between first.',
  target:
    'Download the bundle for this machine: `uname -m` says x86_64 for amd64, aarch64 for arm64.',
};

const defaultAdvice =
  'Do not use this bundle. Download it again from the project and compare the key id.';

/** The error that a broken rule ends in; programs compare the code, tests the rule as well. */
type Refusal = LandfallError & { readonly rule: Rule };

/** The refusal for a broken rule: its code, what was found, what to do. */
export function refusal(
  rule: Rule,
  found: string,
  details: Pick<ErrorDetails, 'problems' | 'cause'> = {},
): Refusal {
  const [code] = rules[rule];
  const hint = adviceByRule[rule] ?? defaultAdvice;
  return Object.assign(new LandfallError(code, found, { ...details, hint }), { rule });
}

/** Tells whether an error is a verifier's refusal, and so names a rule. */
export function isRefusal(error: unknown): error is Refusal {
  return error instanceof LandfallError && 'rule' in error;
}
