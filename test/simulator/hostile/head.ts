import { replace, without } from '../arrange.ts';
import { type Knobs, makeBundle } from '../bundle.ts';
import { breaking } from '../hostile-bundle.ts';
import { signDerOfLength } from '../keys.ts';
import { base256 } from '../tar.ts';

const arranged = (arrange: Knobs['arrange']) => () => makeBundle({ ...(arrange && { arrange }) });
const renamed = (from: string, to: string) =>
  arranged(replace(from, (member) => ({ ...member, name: to })));
const resized = (name: string, size: number) =>
  arranged(replace(name, (member) => ({ ...member, content: Buffer.alloc(size, 'x') })));
const twice = (name: string) => arranged(replace(name, (member) => [member, member]));

/** Heads with members that are reordered, missing, duplicated, renamed or too large. */
export const headAttacks = [
  ...breaking('BUNDLE_HEAD', 'head-first', {
    'release.json missing': arranged(without('release.json')),
    'the signature missing': arranged(without('release.json.sig')),
    'the Sigstore bundle missing': arranged(without('release.sigstore.json')),
    'SHA256SUMS missing': arranged(without('SHA256SUMS')),
    'an archive without members': arranged(() => []),
    'the files before the head': arranged((head, files) => [...files, ...head]),
    'a file inside the head': arranged(([manifest, ...head], [file, ...files]) =>
      [manifest, file, ...head, ...files].filter((member) => member !== undefined),
    ),
    'the signature before the manifest': arranged(([manifest, signature, ...head], files) =>
      [signature, manifest, ...head, ...files].filter((member) => member !== undefined),
    ),
    'the whole head in reverse': arranged((head, files) => [...head.toReversed(), ...files]),
    'two manifests': twice('release.json'),
    'two signatures': twice('release.json.sig'),
    'RELEASE.JSON': renamed('release.json', 'RELEASE.JSON'),
    'a manifest in a folder': renamed('release.json', 'landfall/release.json'),
  }),
  ...breaking('BUNDLE_HEAD', 'head-capped', {
    'a signature of 73 bytes': resized('release.json.sig', 73),
    'a line break after a signature of 72 bytes': () =>
      makeBundle({
        sign: (manifest, signer) =>
          Buffer.concat([signDerOfLength(manifest, signer, 72), Buffer.from('\n')]),
      }),
    'a Sigstore bundle of 5 KB': resized('release.sigstore.json', 5000),
    'a provenance of 2 MB': resized('provenance.sigstore.json', 2 * 1024 * 1024),
    'a SHA256SUMS of 5 MB': resized('SHA256SUMS', 5 * 1024 * 1024),
    'a manifest one byte over its limit': resized('release.json', 8 * 1024 * 1024 + 1),
    'a manifest with a declared size of 9 PB': arranged(
      replace('release.json', (member) => ({
        ...member,
        header: { size: base256(BigInt(Number.MAX_SAFE_INTEGER)) },
      })),
    ),
  }),
];
