import { defaultModelHost, type ModelName } from '../bundle/model-name.ts';

/** A place that has the models of Ollama's registry, nearer to a server. */
export interface ModelMirror {
  /** With its port, where it has one of its own. */
  readonly host: string;
  /** The folder there that holds every model; without one each model keeps its own. */
  readonly namespace: string | undefined;
  /** Whether it speaks plain HTTP. What it gives is compared by digest either way. */
  readonly insecure: boolean;
}

const host = '[A-Za-z0-9][A-Za-z0-9.-]{0,252}(?::[0-9]{1,5})?';
const namespace = '[A-Za-z0-9][A-Za-z0-9_-]{0,79}';

/** `[scheme://]host[:port][/namespace]`: what the engine can be told, and no more. */
export const modelMirrorPattern = new RegExp(`^(?:(https?)://)?(${host})(?:/(${namespace}))?/?$`);

/** Reads a mirror as people write it; undefined for what is none. Without a scheme it is HTTPS. */
export function parseModelMirror(text: string): ModelMirror | undefined {
  const found = modelMirrorPattern.exec(text);
  if (!found) return undefined;
  const [, scheme, host = '', namespace] = found;
  return { host, namespace, insecure: scheme === 'http' };
}

/** Tells whether a mirror may have a model: one of another registry it has not. */
export function isMirrored({ host }: ModelName): boolean {
  return host === defaultModelHost;
}

/** The name of a model at a mirror. The engine has no mirrors; it takes the host from the name. */
export function atMirror(name: ModelName, { host, namespace }: ModelMirror): ModelName {
  return { ...name, host, namespace: namespace ?? name.namespace };
}
