import type { Release } from '#contract/bundle/release.ts';
import { makeBundle, type SimulatedFile, sha256, tinyFiles } from '../bundle.ts';
import { breaking } from '../hostile-bundle.ts';

const manifest = Buffer.from('{"schemaVersion":2}');
const digest = `sha256:${sha256(manifest)}`;
const stranger = `sha256:${'0'.repeat(64)}`;
const path = `models/sha256/${sha256(manifest)}`;

const carrying = (files: readonly SimulatedFile[], change: Partial<Release>) => () =>
  makeBundle({
    files: [...tinyFiles, ...files],
    release: (release) => ({ ...release, ...change }),
  });
const named = (path: string) => carrying([{ path, content: manifest }], {});
const models = (...manifests: ReadonlyArray<string | null>): Release['models'] =>
  manifests.map((manifest, index) => ({ name: `tiny:${index}`, role: 'chat', manifest, size: 19 }));

/** Releases with inconsistent models: Ollama identifies a blob by its name. */
export const modelAttacks = [
  ...breaking('BUNDLE_MANIFEST', 'model-files', {
    'a model blob with the digest of another': named(`models/sha256/${'0'.repeat(64)}`),
    'a model blob with a digest in capitals': named(path.toUpperCase()),
    'a model blob in another folder': named(`models/blobs/${sha256(manifest)}`),
    'a model blob below a blob': named(`${path}/inside`),
    'a file instead of the folder of models': named('models'),
    'model files in a folder in capitals': named('MODELS/manifest'),
    'model files without a model': carrying([{ path, content: manifest }], { models: [] }),
    'a full bundle with an unresolved model': carrying([], {
      kind: 'full',
      models: models(null),
    }),
    'a full bundle without its model': carrying([], { kind: 'full', models: models(digest) }),
    'a full bundle without one of its models': carrying([{ path, content: manifest }], {
      kind: 'full',
      models: models(digest, stranger),
    }),
    'a full bundle with its model among the images': carrying(
      [{ path: `blobs/sha256/${sha256(manifest)}`, content: manifest }],
      { kind: 'full', models: models(digest) },
    ),
  }),
];
