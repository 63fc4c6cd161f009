import { mapOf } from '#contract/text/json.ts';
import { answerCost, freeCost } from './cost.ts';
import type { Format } from './format.ts';
import { namesInData } from './openai.ts';

/** Types of errors in Anthropic's API that the relay has no own type for, by status. */
const typesByStatus: Readonly<Record<number, string>> = {
  404: 'not_found_error',
  413: 'request_too_large',
  503: 'overloaded_error',
  529: 'overloaded_error',
};

/**
 * Types of errors that have another name in Anthropic's API. Claude Code sends a request with status 400
 * in six variants, unless it is a `billing_error`.
 */
const typesByName = mapOf<string>({ insufficient_quota: 'billing_error' });

/** Anthropic's API. Batches and files belong to the account and are excluded. */
export const anthropic: Format = {
  roots: ['/v1'],
  endpoints: [
    { path: /^\/models$/, method: 'GET' },
    { path: /^\/models\/[\w:@-][\w.:@-]*$/, method: 'GET' },
    { path: /^\/messages$/, method: 'POST', cost: answerCost(['max_tokens']) },
    { path: /^\/messages\/count_tokens$/, method: 'POST', cost: freeCost },
  ],
  keyHeader: 'x-api-key',
  forwarded: ['anthropic-version', 'anthropic-beta'],
  required: { 'anthropic-version': '2023-06-01' },
  keyHeaders: (key) => ({ 'x-api-key': key }),
  models: { path: '/models?limit=1000', names: namesInData },
  errorBody: (status, { message, type, code }) => ({
    type: 'error',
    error: {
      type: typesByStatus[status] ?? typesByName.get(type ?? '') ?? type ?? 'api_error',
      message,
      ...(code === null ? {} : { code }),
    },
  }),
};
