import { makeBundle, type SimulatedFile, tinyFiles } from '../bundle.ts';
import { breaking, type HostileBundle } from '../hostile-bundle.ts';

const content = Buffer.from('x');
const withPaths =
  (...paths: readonly string[]) =>
  () =>
    makeBundle({ files: paths.map((path): SimulatedFile => ({ path, content })) });

/** Signed but invalid paths: a signer can be careless, or compromised. */
const odd: Readonly<Record<string, string>> = {
  'a path outside of the folder': '../etc/passwd',
  'a path with .. in the middle': 'bin/../../etc/passwd',
  'a path that is ..': '..',
  'a path that ends in ..': 'bin/..',
  'an absolute path': '/etc/passwd',
  'a path with backslashes': '..\\etc\\passwd',
  'a path with a drive letter': 'C:passwd',
  'a path with a dot segment': 'bin/./landfall',
  'a path that is a dot': '.',
  'a path with an empty segment': 'bin//landfall',
  'a path that ends in a slash': 'bin/',
  'an empty path': '',
  'a path that is an option': '--checkpoint=1',
  'a path with an option in a folder': 'bin/-rf',
  'a path with a line break': 'bin/land\nfall',
  'a path that ends in a line break': 'landfall\n',
  'a path with a NUL': 'landfall\0.txt',
  'a path with a space': 'land fall',
  'a path with a terminal escape': 'land\u001b[2Jfall',
  'a path with a non-ASCII letter': 'ländfall',
  'a path in full-width letters': '．．/etc',
  'a path with a right-to-left override': 'land\u202efall',
  'a path with a shell command': '$(reboot)',
  'a path of 101 characters': 'x'.repeat(101),
  'a path nine folders deep': 'a/b/c/d/e/f/g/h/i',
};

const oddCases: Record<string, HostileBundle['bundle']> = Object.fromEntries(
  // After a plain file: the first header is read before the manifest.
  Object.entries(odd).map(([name, path]) => [`${name}, signed`, withPaths('first', path)]),
);

/** Manifests with duplicate or conflicting paths. */
export const pathAttacks = [
  ...breaking('BUNDLE_MANIFEST', 'canonical-manifest', oddCases),
  ...breaking('BUNDLE_MANIFEST', 'unique-paths', {
    'a path listed twice': withPaths('a', 'a'),
    'two paths that differ in case': withPaths('readme', 'README'),
    'two folders that differ in case, with one file': withPaths('bin/x', 'BIN/x'),
    'a file that is a folder too': withPaths('bin', 'bin/x'),
    'a folder that is a file too': withPaths('bin/x', 'bin'),
    'a folder that is a file two levels up': withPaths('a/b/c', 'a'),
    'a folder that is a file with other case': withPaths('Bin', 'bin/x'),
    'release.json among the files': withPaths('release.json'),
    'a signature among the files': withPaths('release.json.sig'),
    'SHA256SUMS among the files, in lower case': withPaths('sha256sums'),
    'a folder called like a head member': withPaths('provenance.sigstore.json/x'),
    'a download with the path of a file': () =>
      makeBundle({
        release: (release) => ({
          ...release,
          downloads: [
            {
              path: 'bin/landfall.mjs',
              urls: ['https://example.com/landfall.mjs'],
              size: null,
              sha256: '0'.repeat(64),
              executable: true,
            },
          ],
        }),
      }),
  }),
  ...breaking('BUNDLE_MANIFEST', 'offsets', {
    'all offsets at the start': shifted(() => 0),
    'offsets that count from the start of the bundle': shifted((offset) => offset + 4096),
    'offsets of the headers': shifted((offset) => offset - 512),
    'two offsets swapped': shifted((_, index) => [1536, 512][index] ?? 0),
    'one offset that is wrong by one byte': shifted((offset, index) => offset + index),
  }),
];

function shifted(edit: (offset: number, index: number) => number): HostileBundle['bundle'] {
  return () =>
    makeBundle({
      files: tinyFiles,
      release: ({ files, ...release }) => ({
        ...release,
        files: files.map((file, index) => ({ ...file, offset: edit(file.offset, index) })),
      }),
    });
}
