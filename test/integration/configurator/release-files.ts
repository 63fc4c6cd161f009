import { encodeCanonicalJson } from '#contract/text/json.ts';
import type { PageFacts } from '../../../builder/page/facts.ts';
import { makeRelease, tinyFiles } from '../../simulator/bundle.ts';
import { releaseKey, signDer } from '../../simulator/keys.ts';
import type { ChosenFile } from './opened-page.ts';

/** A signed release for both architectures. */
export const releases = (['amd64', 'arm64'] as const).map((arch) => {
  const release = { ...makeRelease(tinyFiles), arch, expires: '2999-01-01T00:00:00Z' };
  const manifest = Buffer.from(encodeCanonicalJson(release));
  const signature = signDer(manifest, releaseKey);
  return { name: `landfall-1.2.0-${arch}`, keys: release.keys, manifest, signature };
});

/** What the page of that release knows. */
export const facts: PageFacts = {
  product: 'landfall',
  version: '1.2.0',
  architectures: ['amd64', 'arm64'],
  keys: releases[0]?.keys ?? { release: [], recovery: null },
};

/** The files of that release that a page reads. */
export const files: readonly ChosenFile[] = releases.flatMap(({ name, manifest, signature }) => [
  { name: `${name}.release.json`, buffer: manifest },
  { name: `${name}.release.json.sig`, buffer: signature },
]);
