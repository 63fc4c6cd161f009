/**
 * The media types of Ollama's models (Ollama, `server/images.go` and `manifest/`). The manifest and
 * the configuration go by Docker's names.
 */
export const modelManifestType = 'application/vnd.docker.distribution.manifest.v2+json';
export const modelConfigType = 'application/vnd.docker.container.image.v1+json';

const prefix = 'application/vnd.ollama.image.';
/** Weights as one GGUF file. */
export const weightsType = `${prefix}model`;
/** How a conversation becomes a prompt, in Go's template language. */
export const templateType = `${prefix}template`;
/** Default options of a generation, as JSON. */
export const paramsType = `${prefix}params`;
/** One tensor of a model in safetensors, which only Ollama's MLX runner on a Mac loads. */
export const tensorType = `${prefix}tensor`;

/** Tells whether a layer is one of a model. */
export function isModelLayerType(mediaType: string): boolean {
  return mediaType.startsWith(prefix);
}
