import { type DocumentKind, decodeDocument } from '../trust/signed-document.ts';
import { refusal } from './refusals.ts';
import { type Release, releaseSchema } from './release.ts';

interface DecodedRelease {
  readonly release: Release;
  /** Names of the ignored fields. */
  readonly ignored: readonly string[];
}

const manifest: DocumentKind<Release> = {
  name: 'release.json',
  indent: 2,
  schema: releaseSchema,
  invalid: (found, details) => refusal('canonical-manifest', found, details),
  newer: (found, details) => refusal('understood', found, details),
};

/**
 * Parses a release manifest strictly: known fields, values in range, canonical bytes. Use this to
 * build and to verify bundles; an installed server uses {@link decodeNewerRelease}. Verify the
 * signature over the same bytes before trusting the result. Parsing is safe for any bytes up to the
 * limit in `head.ts`.
 * @throws LandfallError BUNDLE_MANIFEST with the problems found.
 */
export function decodeRelease(bytesOfManifest: Uint8Array): Release {
  return decodeDocument(bytesOfManifest, manifest, 'reject').value;
}

/**
 * Parses a release manifest that may be newer than this program: ignores unknown fields, except
 * those that the manifest marks as critical. Only for bytes that a trusted key signed.
 * @throws LandfallError BUNDLE_MANIFEST with the problems found.
 */
export function decodeNewerRelease(bytesOfManifest: Uint8Array): DecodedRelease {
  const { value, ignored } = decodeDocument(bytesOfManifest, manifest, 'ignore');
  return { release: value, ignored };
}
