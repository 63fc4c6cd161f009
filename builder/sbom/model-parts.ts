import type { ReleaseModel } from '#contract/bundle/release.ts';
import type { Part } from './part.ts';

/** Models, by the digest of their manifest where it is known. */
export function modelParts(models: readonly ReleaseModel[]): Part[] {
  return models.map(({ name, manifest, size }): Part => {
    const [, plain = name, tag] = /^(.+):([^:/]+)$/.exec(name) ?? [];
    return {
      ref: `model:${name}`,
      type: 'machine-learning-model',
      name: plain,
      version: tag,
      sha256: manifest === null ? undefined : manifest.slice('sha256:'.length),
      properties: {
        ...(manifest === null ? {} : { 'landfall:manifest': manifest }),
        ...(size === null ? {} : { 'landfall:size': `${size}` }),
      },
    };
  });
}
