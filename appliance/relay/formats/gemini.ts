import { mapOf } from '#contract/text/json.ts';
import { fieldsOf } from '../redact/redaction.ts';
import { answerCost, type Cost, freeCost, promptCost } from './cost.ts';
import type { Format } from './format.ts';

/** Names of google.rpc.Code by HTTP status, as in Gemini's errors. */
const statuses: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  405: 'INVALID_ARGUMENT',
  413: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

/** The same for types that a status does not tell apart. */
const statusesByType = mapOf<string>({
  insufficient_quota: 'FAILED_PRECONDITION',
});

function called(name: string): RegExp {
  return new RegExp(`^/models/[\\w-][\\w.-]{0,127}:(?:${name})$`);
}

/** The API accepts the names of its fields in camel case and in snake case. */
function generated(streams: Cost['streams']): Cost {
  const inConfig = (camel: string, snake: string) => [
    ...[`generationConfig.${camel}`, `generation_config.${snake}`],
    ...[`generationConfig.${snake}`, `generation_config.${camel}`],
  ];
  return answerCost(inConfig('maxOutputTokens', 'max_output_tokens'), {
    answers: inConfig('candidateCount', 'candidate_count'),
    uncounted: ['cachedContent', 'cached_content'],
    streams,
  });
}

/** Gemini's API. Files, tuned models, caches and batches belong to the account and are excluded. */
export const gemini: Format = {
  // Official clients use either. The version of the base URL has the endpoints of both.
  roots: ['/v1beta', '/v1'],
  endpoints: [
    { path: /^\/models$/, method: 'GET', isNamedList: true },
    { path: /^\/models\/[\w-][\w.-]{0,127}$/, method: 'GET' },
    { path: called('generateContent'), method: 'POST', cost: generated('asked') },
    { path: called('streamGenerateContent'), method: 'POST', cost: generated('always') },
    { path: called('countTokens'), method: 'POST', cost: freeCost },
    // batchEmbedContents is what the official clients call for one text too.
    { path: called('embedContent|batchEmbedContents'), method: 'POST', cost: promptCost },
  ],
  keyHeader: 'x-goog-api-key',
  keyParameter: 'key',
  forwarded: [],
  keyHeaders: (key) => ({ 'x-goog-api-key': key }),
  wrongKey: 'API_KEY_INVALID',
  models: { path: '/models?pageSize=1000', names: namesInModels },
  errorBody: (status, { message, type, code }, retryAfter) => {
    const details = [
      ...(code === null ? [] : [errorInfo(code)]),
      ...(retryAfter === undefined ? [] : [retryInfo(retryAfter)]),
    ];
    return {
      error: {
        code: status,
        message,
        status: statusOf(status, type ?? ''),
        ...(details.length === 0 ? {} : { details }),
      },
    };
  },
};

function statusOf(status: number, type: string): string {
  if (/^[A-Z_]+$/.test(type)) return type;
  return statusesByType.get(type) ?? statuses[status] ?? 'UNKNOWN';
}

/** When to retry (google.rpc.RetryInfo). Gemini CLI reads no header, and gives up after five minutes. */
function retryInfo(seconds: number): object {
  return { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${seconds}s` };
}

/** The machine-readable cause of an error (google.rpc.ErrorInfo). */
function errorInfo(reason: string): object {
  return { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'landfall' };
}

function namesInModels(list: unknown): readonly unknown[] {
  const { models } = fieldsOf(list);
  return Array.isArray(models) ? models.map(nameOf) : [];
}

/** Returns the name of a model in a list: Gemini's is `models/<name>`, Ollama's the name itself. */
export function nameOf(model: unknown): string {
  return `${fieldsOf(model).name}`.replace(/^models\//, '');
}
