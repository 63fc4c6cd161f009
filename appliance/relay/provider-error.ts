import { parseJson } from '#contract/text/json.ts';
import { clientHeaders } from './headers.ts';
import { fieldsOf, withoutAccount } from './redact/redaction.ts';
import { type ApiError, errorResponse } from './refusal.ts';

const maxError = 64 * 1024;
const maxText = 2000;

/**
 * Converts a provider's error to OpenAI's error format. Keeps its message, but redacts what it quotes
 * of the account that all keys share: parts of the key, the organization.
 * @param key the provider's key, to redact
 */
export async function providerError(answer: Response, key: string): Promise<Response> {
  const text = await readBounded(answer.body);
  const error = apiError(text) ?? {
    message: `the provider returned status ${answer.status}`,
    type: 'api_error',
    param: null,
    code: 'provider_error',
  };
  const headers = clientHeaders(answer.headers, key);
  for (const name of ['content-length', 'content-type', 'content-disposition'])
    headers.delete(name);
  // Truncate after redaction: a partial key would not match.
  const plain = (text: string) => withoutAccount(text, key).slice(0, maxText);
  const { message, type, param, code } = error;
  return errorResponse(
    answer.status,
    {
      message: plain(message),
      type: type && plain(type),
      param: param && plain(param),
      code: code && plain(code),
    },
    Object.fromEntries(headers),
  );
}

/** Reads the start of a body and cancels the rest. */
async function readBounded(body: ReadableStream<Uint8Array> | null): Promise<string> {
  if (body === null) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (text.length < maxError) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel().catch(() => {});
  return text;
}

/** Parses `{"error":{"message":…}}`, and the variants `{"error":"…"}` and `{"message":"…"}`. */
function apiError(text: string): ApiError | undefined {
  const outer = fieldsOf(parseJson(text));
  const inner = fieldsOf(outer.error);
  const message = [inner.message, outer.error, outer.message].find(
    (candidate) => typeof candidate === 'string',
  );
  if (typeof message !== 'string') return undefined;
  return {
    message,
    type: shortText(inner.type) ?? 'api_error',
    param: shortText(inner.param),
    code: shortText(inner.code),
  };
}

function shortText(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? `${value}` : null;
}
