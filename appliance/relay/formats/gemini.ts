import { fieldsOf } from '../redact/redaction.ts';
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

/** Gemini's API. Files, tuned models, caches and batches belong to the account and are excluded. */
export const gemini: Format = {
  // Official clients use either. The version of the base URL has the endpoints of both.
  roots: ['/v1beta', '/v1'],
  endpoints: [
    { path: /^\/models$/, method: 'GET' },
    { path: /^\/models\/[\w-][\w.-]{0,127}$/, method: 'GET' },
    {
      // batchEmbedContents is what the official clients call for one text too.
      path: /^\/models\/[\w-][\w.-]{0,127}:(?:generateContent|streamGenerateContent|countTokens|embedContent|batchEmbedContents)$/,
      method: 'POST',
    },
  ],
  keyHeader: 'x-goog-api-key',
  keyParameter: 'key',
  forwarded: [],
  keyHeaders: (key) => ({ 'x-goog-api-key': key }),
  wrongKey: 'API_KEY_INVALID',
  models: { path: '/models?pageSize=1000', names: namesInModels },
  errorBody: (status, { message, type, code }) => ({
    error: {
      code: status,
      message,
      status: /^[A-Z_]+$/.test(type ?? '') ? type : (statuses[status] ?? 'UNKNOWN'),
      ...(code === null ? {} : { details: [errorInfo(code)] }),
    },
  }),
};

/** The machine-readable cause of an error (google.rpc.ErrorInfo). */
function errorInfo(reason: string): object {
  return { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'landfall' };
}

/** Gemini lists `models/<name>`. */
function namesInModels(list: unknown): readonly unknown[] {
  const { models } = fieldsOf(list);
  if (!Array.isArray(models)) return [];
  return models.map((model) => `${fieldsOf(model).name}`.replace(/^models\//, ''));
}
