import type { ReleaseModel } from '#contract/bundle/release.ts';
import type { SbomComponent } from './sbom-component.ts';

/** Returns the components of models, with the digest of the manifest if it is known. */
export function modelComponents(models: readonly ReleaseModel[]): SbomComponent[] {
  return models.map(({ name, manifest, size }): SbomComponent => {
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
