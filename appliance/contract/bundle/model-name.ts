/** The four parts of a model's name (Ollama, `types/model/name.go`). */
export interface ModelName {
  readonly host: string;
  readonly namespace: string;
  readonly model: string;
  readonly tag: string;
}

/** What a short name leaves out. */
export const defaultModelHost = 'registry.ollama.ai';
const defaultNamespace = 'library';

const part = '[A-Za-z0-9][A-Za-z0-9_.-]{0,79}';
const host = '[A-Za-z0-9][A-Za-z0-9.-]{0,252}(?::[0-9]{1,5})?';
const namespace = '[A-Za-z0-9][A-Za-z0-9_-]{0,79}';

/**
 * `[[host/]namespace/]model:tag`, the tag always there (SPEC 2.8). A little narrower than Ollama
 * itself: each part is a plain file name, since the engine's store has a folder for each.
 */
export const modelPattern = new RegExp(
  `^(?:(?:(${host})/)?(${namespace})/)?(${part}):([A-Za-z0-9_][A-Za-z0-9_.-]{0,79})$`,
);

/** Reads a model's name and fills in what it leaves out; undefined for what is no name. */
export function parseModelName(text: string): ModelName | undefined {
  const found = modelPattern.exec(text);
  if (!found) return undefined;
  const [, host = defaultModelHost, namespace = defaultNamespace, model = '', tag = ''] = found;
  return { host, namespace, model, tag };
}

/** The shortest form that means the same, as Ollama's `/api/tags` shows it. */
export function shortModelName({ host, namespace, model, tag }: ModelName): string {
  const short = `${model}:${tag}`;
  if (host !== defaultModelHost) return `${host}/${namespace}/${short}`;
  return namespace === defaultNamespace ? short : `${namespace}/${short}`;
}

/**
 * Tells whether every model is named once. Ollama does not tell capitals from small letters, nor
 * `qwen3:8b` from `library/qwen3:8b`.
 */
export function areDistinctModels(names: readonly string[]): boolean {
  const full = names.map((text) => {
    const name = parseModelName(text);
    return name ? Object.values(name).join('/').toLowerCase() : text;
  });
  return new Set(full).size === full.length;
}
