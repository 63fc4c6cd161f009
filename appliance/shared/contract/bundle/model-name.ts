import { z } from 'zod';

/** The four parts of a model's name (Ollama, `types/model/name.go`). */
export interface ModelName {
  readonly host: string;
  readonly namespace: string;
  readonly model: string;
  readonly tag: string;
}

/** The defaults of a short name. */
export const defaultModelHost = 'registry.ollama.ai';
const defaultNamespace = 'library';

const part = '[A-Za-z0-9][A-Za-z0-9_.-]{0,79}';
export const hostPattern = '[A-Za-z0-9][A-Za-z0-9.-]{0,252}(?::[0-9]{1,5})?';
export const namespacePattern = '[A-Za-z0-9][A-Za-z0-9_-]{0,79}';

/**
 * `[[host/]namespace/]model:tag`, with a required tag (SPEC 2.8). Stricter than Ollama: each
 * component must be a plain file name, because Ollama's store has a folder for each.
 */
export const modelPattern = new RegExp(
  `^(?:(?:(${hostPattern})/)?(${namespacePattern})/)?(${part}):([A-Za-z0-9_][A-Za-z0-9_.-]{0,79})$`,
);

/** The schema of a model name. */
export const modelNameSchema = z
  .string()
  .max(512)
  .regex(modelPattern, 'must be a model with its tag, such as qwen3:8b');

/** Parses a model name and adds the defaults; undefined for an invalid name. */
export function parseModelName(text: string): ModelName | undefined {
  const found = modelPattern.exec(text);
  if (!found) return undefined;
  const [, host = defaultModelHost, namespace = defaultNamespace, model = '', tag = ''] = found;
  return { host, namespace, model, tag };
}

/** Returns the shortest equivalent name, as in Ollama's `/api/tags`. */
export function shortModelName({ host, namespace, model, tag }: ModelName): string {
  const short = `${model}:${tag}`;
  if (host !== defaultModelHost) return `${host}/${namespace}/${short}`;
  return namespace === defaultNamespace ? short : `${namespace}/${short}`;
}

/** Returns whether all models are distinct. See {@link isSameModel}. */
export function areDistinctModels(names: readonly string[]): boolean {
  return new Set(names.map(comparable)).size === names.length;
}

/**
 * Returns whether two names are the same model. Ollama ignores case, and treats `qwen3:8b` and
 * `library/qwen3:8b` as the same model.
 */
export function isSameModel(one: string, other: string): boolean {
  return comparable(one) === comparable(other);
}

function comparable(text: string): string {
  const name = parseModelName(text);
  return name ? shortModelName(name).toLowerCase() : text;
}
