/**
 * The head of a bundle: the members that come before everything the manifest lists, in this order.
 * They cannot be listed in the manifest (they are made from it), so each is named here and capped,
 * and a reader knows what to expect before it trusts a single byte.
 */
interface HeadMember {
  readonly name: string;
  /** No reader takes more bytes than this. */
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
