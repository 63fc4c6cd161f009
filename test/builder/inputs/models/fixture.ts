import { digestOf } from '#contract/trust/digest.ts';
import type { ModelFiles } from '../../../stand-ins/engine/models/put-tiny-model.ts';

export const configType = 'application/vnd.docker.container.image.v1+json';
export const layerType = (kind: string) => `application/vnd.ollama.image.${kind}`;

/** Returns a small model with a configuration and a layer per text. */
export function smallModel(layers: Readonly<Record<string, string>> = { model: 'weights' }) {
  return modelOf([
    { mediaType: configType, bytes: Buffer.from(`{"of":${JSON.stringify(layers)}}`) },
    ...Object.entries(layers).map(([kind, text]) => ({
      mediaType: layerType(kind),
      bytes: Buffer.from(text),
    })),
  ]);
}

/** Returns a model with these blobs. The first one is its configuration. */
export function modelOf(
  blobs: ReadonlyArray<{ readonly mediaType: string; readonly bytes: Buffer }>,
): ModelFiles {
  const [config, ...layers] = blobs.map(({ mediaType, bytes }) => ({
    mediaType,
    digest: digestOf(bytes),
    size: bytes.length,
  }));
  return {
    manifest: Buffer.from(
      JSON.stringify({
        schemaVersion: 2,
        mediaType: 'application/vnd.docker.distribution.manifest.v2+json',
        config,
        layers,
      }),
    ),
    blobs: new Map(blobs.map(({ bytes }) => [digestOf(bytes), bytes])),
  };
}
