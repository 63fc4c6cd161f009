import { parseJson } from '#contract/text/json.ts';
import type { ApiError, Format } from './formats/format.ts';
import { clientHeaders } from './headers.ts';
import type { Answer, ProviderAnswer } from './message.ts';
import type { Provider } from './provider.ts';
import { readStart } from './read-start.ts';
import { fieldsOf, withoutAccount } from './redact/redaction.ts';
import { errorResponse, keyRefusal, type Refusal } from './refusal.ts';

const maxError = 64 * 1024;
const maxText = 2000;

/**
 * Converts a provider's error to the format of the client. Keeps its message, but redacts what it quotes
 * of the account that all keys share: parts of the key, the organization.
 * @param provider whose key to redact
 * @param format of the client
 */
export async function providerError(
  answer: ProviderAnswer,
  provider: Pick<Provider, 'key' | 'format' | 'setKey'>,
  format: Format,
): Promise<Answer | Refusal> {
  const { key = '', format: ofProvider } = provider;
  const text = await readStart(answer.body, maxError);
  if (ofProvider.wrongKey !== undefined && text.includes(ofProvider.wrongKey))
    return keyRefusal('provider_key_refused', provider);
  const error = apiError(text, answer.status) ?? {
    message: [`the provider returned status ${answer.status}`, bodyText(text)].join(''),
    type: 'api_error',
    param: null,
    code: 'provider_error',
  };
  const headers = clientHeaders(answer.headers, key);
  for (const name of ['content-length', 'content-type', 'content-disposition'])
    delete headers[name];
  // Truncate after redaction: a partial key would not match.
  const plain = (text: string) => withoutAccount(text, key).slice(0, maxText);
  const { message, type, param, code } = error;
  return errorResponse(
    format,
    answer.status,
    {
      message: plain(message),
      type: type && plain(type),
      param: param && plain(param),
      code: code && plain(code),
    },
    headers,
  );
}

/**
 * Parses `{"error":{"message":…}}`, and the variants `{"error":"…"}` and `{"message":"…"}`; the `detail` of
 * FastAPI, which Mistral puts into `message`; and problem details (RFC 9457).
 */
function apiError(text: string, status: number): ApiError | undefined {
  // Gemini sends an error in place of a stream as a list.
  const outer = fieldsOf([parseJson(text)].flat()[0]);
  const inner = fieldsOf(outer.error);
  const message = [
    ...[inner.message, outer.error, outer.message, fieldsOf(outer.message).detail],
    ...[outer.detail, outer.title],
  ]
    .map(messageIn)
    .find((candidate) => candidate !== '');
  if (message === undefined) return undefined;
  return {
    message,
    type: shortText(inner.type) ?? shortText(inner.status) ?? 'api_error',
    param: shortText(inner.param),
    code: inner.code === status ? null : shortText(inner.code),
  };
}

/** Returns a text, or the texts of FastAPI's list of problems; empty for anything else. */
function messageIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return '';
  const problems = value.flatMap((each) => {
    const { loc, msg } = fieldsOf(each);
    if (typeof msg !== 'string') return [];
    return [Array.isArray(loc) ? `${loc.join('.')}: ${msg}` : msg];
  });
  return problems.join('; ');
}

/** Returns an error of an unknown shape. Pages of proxies tell users nothing. */
function bodyText(text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  return plain === '' || plain.startsWith('<') ? '' : `: ${plain}`;
}

function shortText(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? `${value}` : null;
}
