/** The four parts of a model's name (Ollama, `types/model/name.go`). */
export interface ModelName {
  readonly host: string;
  readonly namespace: string;
  readonly model: string;
  readonly tag: string;
}

const defaults = { host: 'registry.ollama.ai', namespace: 'library', tag: 'latest' } as const;
const patterns = {
  host: /^[A-Za-z0-9_][A-Za-z0-9_.:-]{0,349}$/,
  namespace: /^[A-Za-z0-9_][A-Za-z0-9_-]{0,79}$/,
  model: /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,79}$/,
  tag: /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,79}$/,
} as const;

/**
 * Parses `[[host/]namespace/]model[:tag]`; returns undefined for an invalid name. A scheme is
 * dropped.
 */
export function parseModelName(text: string): ModelName | undefined {
  const parts = text.replace(/^https?:\/\//, '').split('/');
  const last = parts.pop() ?? '';
  const colon = last.indexOf(':');
  const model = colon === -1 ? last : last.slice(0, colon);
  const tag = colon === -1 ? defaults.tag : last.slice(colon + 1);
  const namespace = parts.pop() ?? defaults.namespace;
  const host = parts.pop() ?? defaults.host;
  const name = { host, namespace, model, tag };
  const valid =
    parts.length === 0 &&
    patterns.host.test(host) &&
    patterns.namespace.test(namespace) &&
    patterns.model.test(model) &&
    patterns.tag.test(tag);
  return valid ? name : undefined;
}

/** Returns the shortest equivalent form; the tag is always included. */
export function shortest({ host, namespace, model, tag }: ModelName): string {
  const short = `${model}:${tag}`;
  if (host !== defaults.host) return `${host}/${namespace}/${short}`;
  return namespace === defaults.namespace ? short : `${namespace}/${short}`;
}
