import type { Release } from '#contract/bundle/release.ts';
import type { TrustPolicy } from '#contract/trust/trust.ts';
import { without } from './arrange.ts';
import { makeBundle, type SimulatedFile, sha256, tinyFiles } from './bundle.ts';
import {
  otherForm,
  recoveryKey,
  releaseKey,
  secondKey,
  signDer,
  signDerOfLength,
  strangerKey,
} from './keys.ts';

/** A bundle that must be accepted: a verifier that rejects everything would pass otherwise. */
export interface HonestBundle {
  readonly name: string;
  readonly bundle: () => Buffer;
  readonly policy?: Partial<TrustPolicy>;
  /** The signer; default: the release key. */
  readonly signer?: 'recovery';
}

const release = (change: Partial<Release>) => () =>
  makeBundle({ release: (honest) => ({ ...honest, ...change }) });
const files =
  (...simulated: readonly SimulatedFile[]) =>
  () =>
    makeBundle({ files: simulated });
const recovered = (keys: Release['keys']): Pick<HonestBundle, 'bundle' | 'signer'> => ({
  bundle: () => makeBundle({ signer: recoveryKey, release: (honest) => ({ ...honest, keys }) }),
  signer: 'recovery',
});

const daily = [releaseKey.public.spki, secondKey.public.spki];
const recovery = recoveryKey.public.spki;
const stranger = strangerKey.public.spki;
const emptyFile = { path: 'empty', content: Buffer.alloc(0) };

export const honestBundles: readonly HonestBundle[] = [
  { name: 'two small files', bundle: () => makeBundle() },
  {
    name: 'no provenance',
    bundle: () => makeBundle({ arrange: without('provenance.sigstore.json') }),
  },
  { name: 'a signature by the second key', bundle: () => makeBundle({ signer: secondKey }) },
  {
    name: 'the longest signature there is',
    bundle: () => makeBundle({ sign: (bytes, key) => signDerOfLength(bytes, key, 72) }),
  },
  {
    name: 'the other form of a signature, with order - s',
    bundle: () => makeBundle({ sign: (bytes, key) => otherForm(signDer(bytes, key)) }),
  },
  {
    name: 'a signature two bytes shorter',
    bundle: () => makeBundle({ sign: (bytes, key) => signDerOfLength(bytes, key, 70) }),
  },
  { name: 'an empty file', bundle: files(emptyFile) },
  { name: 'an empty file at the end', bundle: files(...tinyFiles, emptyFile) },
  { name: 'an empty file at the start', bundle: files(emptyFile, ...tinyFiles) },
  { name: 'an empty program', bundle: files({ ...emptyFile, executable: true }) },
  {
    name: 'a file that fills its block',
    bundle: files({ path: 'a', content: Buffer.alloc(512, 'x') }, ...tinyFiles),
  },
  {
    name: 'a file one byte over a block',
    bundle: files({ path: 'a', content: Buffer.alloc(513, 'x') }, ...tinyFiles),
  },
  {
    name: 'a file of zeros that looks like an end',
    bundle: files({ path: 'a', content: Buffer.alloc(4096) }, ...tinyFiles),
  },
  {
    name: 'a file that is itself a bundle',
    bundle: () => makeBundle({ files: [{ path: 'inner.tar', content: makeBundle() }] }),
  },
  {
    name: 'a path of a hundred characters',
    bundle: files({ path: 'x'.repeat(100), content: Buffer.from('x') }),
  },
  {
    name: 'a path seven folders deep',
    bundle: files({ path: 'a/b/c/d/e/f/g/h', content: Buffer.from('x') }),
  },
  {
    name: 'paths with dots that mean nothing',
    bundle: files(
      { path: '...', content: Buffer.from('x') },
      { path: '.a/..b/c..', content: Buffer.from('x') },
    ),
  },
  {
    name: 'files that begin alike',
    bundle: files(
      { path: 'bin', content: Buffer.from('x') },
      { path: 'bin.d/x', content: Buffer.from('x') },
      { path: 'binary', content: Buffer.from('x') },
    ),
  },
  { name: 'images, models and downloads', bundle: release(withEverything()) },
  { name: 'a full bundle with a model', bundle: () => withModel('full') },
  { name: 'a thin bundle with a model that no registry has', bundle: () => withModel('thin') },
  {
    name: 'a release that was built before releases named their bootstrap',
    bundle: () => makeBundle({ release: ({ bootstrap: _, ...older }) => older }),
  },
  {
    name: 'a release with a bootstrap of other files',
    bundle: release({ bootstrap: [{ name: 'first.py', sha256: 'f'.repeat(64) }] }),
  },
  {
    name: 'a release candidate',
    bundle: release({ version: '1.2.0-rc.1', updatesFrom: '1.0.0-alpha' }),
  },
  { name: 'the version that is installed', bundle: release({ version: '1.1.0' }) },
  { name: 'an installed version just new enough', bundle: release({ updatesFrom: '1.1.0' }) },
  {
    name: 'any installed version',
    bundle: release({ updatesFrom: null }),
    policy: { installed: '0.0.1' },
  },
  { name: 'a fresh server', bundle: () => makeBundle(), policy: { installed: undefined } },
  { name: 'a server without a clock', bundle: () => makeBundle(), policy: { now: undefined } },
  {
    name: 'the last second before expiry',
    bundle: () => makeBundle(),
    policy: { now: new Date('2027-10-31T23:59:59Z') },
  },
  {
    name: 'the same keys in another order',
    bundle: release({ keys: { release: daily.toReversed(), recovery } }),
  },
  {
    name: 'keys that a server trusts twice',
    bundle: () => makeBundle(),
    policy: {
      keys: {
        release: [releaseKey, secondKey, releaseKey].map((key) => key.public),
        recovery: recoveryKey.public,
      },
    },
  },
  {
    name: 'a new key announced by the recovery key',
    ...recovered({ release: [...daily, stranger], recovery }),
  },
  {
    name: 'all keys replaced by the recovery key',
    ...recovered({ release: [stranger], recovery: daily[0] ?? null }),
  },
  {
    name: 'the recovery key removed by its own signature',
    ...recovered({ release: daily, recovery: null }),
  },
  { name: 'the recovery key signing what any key may', ...recovered({ release: daily, recovery }) },
  {
    name: 'a download checked with one of its keys',
    bundle: () => makeBundle(),
    policy: { keys: { release: [releaseKey.public], recovery: undefined }, allowNewKeys: true },
  },
];

function withModel(kind: Release['kind']): Buffer {
  const content = Buffer.from('{"schemaVersion":2}');
  const hex = sha256(content);
  return makeBundle({
    files: [...tinyFiles, { path: `models/sha256/${hex}`, content }],
    release: (honest) => ({
      ...honest,
      kind,
      models: [{ name: 'mine:1b', role: 'embedding', manifest: `sha256:${hex}`, size: 0 }],
    }),
  });
}

function withEverything(): Partial<Release> {
  const digest = `sha256:${sha256(Buffer.from('image'))}`;
  const unresolved = { manifest: null, config: null, size: null };
  return {
    kind: 'thin',
    models: [
      { name: 'qwen3:8b', role: 'chat', manifest: digest, size: 5_200_000_000 },
      { name: 'hf.co/Qwen/Qwen3-0.6B-GGUF:Q8_0', role: 'chat', manifest: null, size: null },
    ],
    images: [
      {
        component: 'engine',
        reference: 'ollama/ollama:0.35.1',
        index: digest,
        manifest: digest,
        config: digest,
        size: 4_700_000_000,
        optional: false,
      },
      {
        component: 'chat',
        reference: 'registry.example.com:5000/chat:v1',
        index: digest,
        ...unresolved,
        optional: true,
      },
      {
        component: 'ui',
        reference: '[fd00::1]:5000/ui:v1',
        index: digest,
        ...unresolved,
        optional: true,
      },
    ],
    downloads: [
      {
        path: 'bin/docker-compose',
        urls: ['https://example.com/a?b=c#d', 'http://[fd00::1]:8080/x'],
        size: null,
        sha256: sha256(Buffer.from('plugin')),
        executable: true,
      },
    ],
  };
}

/** The largest release that the schema allows, with minimal files: determines every limit. */
export function maxRelease(): Buffer {
  const content = Buffer.from('x');
  const max = Array.from({ length: 20_000 }, (_, index) => ({
    path: `${index}`.padStart(100, 'x'),
    content,
    executable: false,
  }));
  return makeBundle({ files: max });
}
