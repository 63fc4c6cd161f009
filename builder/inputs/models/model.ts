import type { ModelShape } from '#contract/bundle/model-shape.ts';
import type { Descriptor } from '../blobs/blob.ts';
import type { Document } from '../registry/document.ts';

/**
 * The media types of Ollama's models (Ollama, `server/images.go` and `manifest/`). The manifest and
 * the configuration use Docker's types.
 */
export const modelManifestType = 'application/vnd.docker.distribution.manifest.v2+json';
export const modelConfigType = 'application/vnd.docker.container.image.v1+json';

const prefix = 'application/vnd.ollama.image.';
/** Weights as one GGUF file. */
export const weightsType = `${prefix}model`;
/** The prompt template, in Go's template language. */
export const templateType = `${prefix}template`;
/** Default generation options, as JSON. */
export const paramsType = `${prefix}params`;
/** One tensor of a safetensors model, which only Ollama's MLX runner on macOS loads. */
export const tensorType = `${prefix}tensor`;

/** Returns whether a layer belongs to a model. */
export function isModelLayerType(mediaType: string): boolean {
  return mediaType.startsWith(prefix);
}

/**
 * A model that was located for a bundle: documents in memory, and blobs for `fetch` to download.
 */
export interface LocatedModel {
  /** As the user wrote it. */
  readonly name: string;
  readonly manifest: Document;
  /** Documents that were generated here and are in no registry. */
  readonly made: readonly Document[];
  readonly blobs: readonly Descriptor[];
  /** Total size of configuration and layers in bytes, without duplicates. */
  readonly size: number;
  /** What its GGUF file says; undefined for models of a registry, whose file is fetched later. */
  readonly shape?: ModelShape | undefined;
  /** Ensures that one of `blobs` is in the store. */
  readonly fetch: (blob: Descriptor, signal?: AbortSignal) => Promise<void>;
}
