import {
  defaultModelHost,
  hostPattern,
  type ModelName,
  namespacePattern,
} from '../bundle/model-name.ts';

/** A mirror of Ollama's registry that is closer to a server. */
export interface ModelMirror {
  /** Including a port, if any. */
  readonly host: string;
  /** The namespace of all models there; without one, each model keeps its own. */
  readonly namespace: string | undefined;
  /** Whether it uses plain HTTP. Content is verified by digest either way. */
  readonly insecure: boolean;
}

/** `[scheme://]host[:port][/namespace]`: exactly what Ollama supports. */
export const modelMirrorPattern = new RegExp(
  `^(?:(https?)://)?(${hostPattern})(?:/(${namespacePattern}))?/?$`,
);

/** Parses a mirror; undefined for an invalid one. The default scheme is HTTPS. */
export function parseModelMirror(text: string): ModelMirror | undefined {
  const found = modelMirrorPattern.exec(text);
  if (!found) return undefined;
  const [, scheme, host = '', namespace] = found;
  return { host, namespace, insecure: scheme === 'http' };
}

/** Returns whether a mirror may have a model. Mirrors only have models of Ollama's registry. */
export function isMirrored({ host }: ModelName): boolean {
  return host === defaultModelHost;
}

/** Returns the name of a model at a mirror. Ollama has no mirror setting; the name has the host. */
export function atMirror(name: ModelName, { host, namespace }: ModelMirror): ModelName {
  return { ...name, host, namespace: namespace ?? name.namespace };
}
