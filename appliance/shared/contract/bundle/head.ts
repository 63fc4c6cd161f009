/**
 * A member of the head of a bundle: the members before all files of the manifest, in this order.
 * The manifest cannot list them because they are derived from it. They are therefore listed here
 * with a size limit, so that a reader knows what to expect before it trusts any byte.
 */
interface HeadMember {
  readonly name: string;
  /** Maximum size in bytes. */
  readonly maxBytes: number;
  readonly required: boolean;
}

export const manifestName = 'release.json';
export const signatureName = 'release.json.sig';
export const sigstoreName = 'release.sigstore.json';
export const checksumsName = 'SHA256SUMS';
export const provenanceName = 'provenance.sigstore.json';

export const headMembers: readonly HeadMember[] = [
  { name: manifestName, maxBytes: 8 * 1024 * 1024, required: true },
  { name: signatureName, maxBytes: 72, required: true },
  { name: sigstoreName, maxBytes: 4096, required: true },
  { name: checksumsName, maxBytes: 4 * 1024 * 1024, required: true },
  { name: provenanceName, maxBytes: 1024 * 1024, required: false },
];
