interface Meaning {
  readonly pattern: RegExp;
  readonly text: string;
}

/** The first pattern that matches a name gives its meaning. */
const meanings: readonly Meaning[] = [
  { pattern: /^index\.html$/, text: 'This page' },
  { pattern: /^notes\.md$/, text: 'Release notes' },
  { pattern: /^SHA256SUMS$/, text: 'SHA-256 of all other files: sha256sum --check SHA256SUMS' },
  {
    pattern: /^release\.pub$/,
    text: 'Public key of the release. Compare its key id with a second source',
  },
  { pattern: /\.tgz$/, text: 'The command landfall, as an npm package: npm install -g <file>' },
  { pattern: /\.tar$/, text: 'Bundle: what a server of this architecture downloads' },
  { pattern: /\.tar\.\d+$/, text: 'Part of a bundle; a server downloads all parts' },
  { pattern: /\.release\.json$/, text: 'Manifest: all files of the bundle with their SHA-256' },
  { pattern: /\.release\.json\.sig$/, text: 'Signature of the manifest, for openssl' },
  { pattern: /\.release\.sigstore\.json$/, text: 'Signature of the manifest, for cosign' },
  { pattern: /\.sbom\.cdx\.json$/, text: 'SBOM: all components of the bundle (CycloneDX)' },
];

/** Returns what a file of a release is for, in one line. */
export function meaningOf(name: string): string {
  return meanings.find(({ pattern }) => pattern.test(name))?.text ?? 'File of the release';
}
