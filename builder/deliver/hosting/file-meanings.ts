interface Meaning {
  readonly pattern: RegExp;
  readonly text: string;
}

/** The first pattern that matches a name gives its meaning. */
const meanings: readonly Meaning[] = [
  { pattern: /^index\.html$/, text: 'This page' },
  {
    pattern: /^configurator\.html$/,
    text: 'Web page that makes the user-data of a server from this release',
  },
  { pattern: /^notes\.md$/, text: 'Release notes' },
  { pattern: /^SHA256SUMS$/, text: 'SHA-256 of all other files: sha256sum --check SHA256SUMS' },
  {
    pattern: /^release\.pub$/,
    text: 'Public key of the release. Compare its key id with a second source',
  },
  {
    pattern: /^landfall-\d[\w.+-]*\.tgz$/,
    text: 'The command landfall, as an npm package: npm install -g <file>',
  },
  { pattern: /^channel\.json$/, text: 'Channel: the releases that servers learn of' },
  { pattern: /^channel\.json\.sig$/, text: 'Signature of the channel' },
  { pattern: /\.channel\.json$/, text: 'Entry of the channel: landfall channel add <file>' },
  { pattern: /^\d{1,7}\.json$/, text: 'Rotation of the keys' },
  { pattern: /^\d{1,7}\.json\.sig$/, text: 'Signature of the rotation' },
  { pattern: /\.tar$/, text: 'Bundle: what a server of this architecture downloads' },
  { pattern: /\.tar\.\d{3}$/, text: 'Part of a bundle; a server downloads all parts' },
  { pattern: /\.release\.json$/, text: 'Manifest: all files of the bundle with their SHA-256' },
  { pattern: /\.release\.json\.sig$/, text: 'Signature of the manifest, for openssl' },
  { pattern: /\.release\.sigstore\.json$/, text: 'Signature of the manifest, for cosign' },
  { pattern: /\.sbom\.cdx\.json$/, text: 'SBOM: all components of the bundle (CycloneDX)' },
];

/** Returns what a file of a release is for, in one line. */
export function meaningOf(name: string): string {
  return meanings.find(({ pattern }) => pattern.test(name))?.text ?? 'File of the release';
}

/** Returns whether the name is that of a file of a release: no key, no site, no user-data. */
export function isReleaseFile(name: string): boolean {
  return isPlainName(name) && meanings.some(({ pattern }) => pattern.test(name));
}

/** Names that need no quotes in URLs and in the commands of sftp. */
function isPlainName(name: string): boolean {
  return /^[A-Za-z0-9][\w.+-]{0,199}$/.test(name);
}

/** Returns the media type of a file of a release. */
export function contentType(name: string): string {
  if (name.endsWith('.json')) return 'application/json';
  if (name.endsWith('.html')) return 'text/html; charset=utf-8';
  const isText = /(?:^SHA256SUMS|\.md|\.pub)$/.test(name);
  return isText ? 'text/plain; charset=utf-8' : 'application/octet-stream';
}
