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
