import { type Admission, admit, type Forwarding } from './admit.ts';
import { lastEventOf } from './broken-stream.ts';
import type { Charge } from './budget/charge.ts';
import { sendPayload } from './budget/send-payload.ts';
import { corsHeaders, preflightResponse } from './cors.ts';
import { AccessEntry, type RelayEnv } from './env.ts';
import type { Format } from './formats/format.ts';
import { requestFormat } from './formats/request-format.ts';
import { clientHeaders, providerHeaders, securityHeaders } from './headers.ts';
import type { Answer, ProviderAnswer, RelayRequest } from './message.ts';
import { allowedList, type ListFilter } from './models/allowed-list.ts';
import { countedTokens } from './models/local-context.ts';
import { listModels } from './models/model-lists.ts';
import { passThrough } from './pass-through.ts';
import { Passage } from './passage.ts';
import { completePath, withoutSlashes } from './paths.ts';
import type { Provider } from './provider.ts';
import { providerError } from './provider-error.ts';
import { answerFilter } from './redact/answer-filter.ts';
import { chained } from './redact/redaction.ts';
import { isRefusal, keyRefusal, type Refusal, refusalResponse } from './refusal.ts';

/** Health endpoint: needs no key and contacts no provider. */
const healthPath = '/health';

/** Marks errors of clients with a key of this relay. The gateway counts others as scans, for bans. */
const ofKnownKey = { 'x-relay-key': 'known' } as const;

/**
 * Handles a request to the relay (SPEC E3, E5): checks the relay key, forwards the request with the
 * provider's key, and streams the response back. Uses nothing of Node, so it also runs on edge platforms.
 * Never throws: failures become responses in the error format of the client.
 */
export async function handle(request: RelayRequest, env: RelayEnv): Promise<Answer> {
  const cors = corsHeaders(request, env.origins);
  const preflight = cors && preflightResponse(request, cors);
  if (preflight) return preflight;
  const answer = await answerTo(request, env);
  return cors ? withHeaders(answer, cors) : answer;
}

function withHeaders(answer: Answer, more: Answer['headers']): Answer {
  return { ...answer, headers: { ...answer.headers, ...more } };
}

async function answerTo(request: RelayRequest, env: RelayEnv): Promise<Answer> {
  const url = new URL(request.url);
  url.pathname = withoutSlashes(url.pathname);
  const format = requestFormat(url.pathname, request.headers);
  if (url.pathname === healthPath) return health(request, format);
  const entry = new AccessEntry(request.method, env.log);
  /** Headers of errors. */
  let ofKey: Answer['headers'] = {};
  const refuse = (refusal: Refusal): Answer => {
    const answer = withHeaders(refusalResponse(refusal, format), ofKey);
    const requestId = answer.headers['x-request-id'] ?? '';
    entry.note({ refused: refusal.refused, requestId });
    return finish(answer, entry);
  };
  // Codex and others then use HTTP at once. nginx forwards this header, but no Upgrade.
  if (request.headers.get('sec-websocket-key') !== null)
    return refuse({ refused: 'relay_upgrade_refused', headers: { upgrade: 'HTTP/1.1' } });
  url.pathname = completePath(url.pathname, env);
  try {
    const admission = await admit(request, url, format, env, (known) => {
      if (known.key !== undefined) ofKey = ofKnownKey;
      entry.note(known);
    });
    if (isRefusal(admission)) return refuse(admission);
    const answer = await fulfil(request, admission, format, env, entry);
    const remaining = admission.account?.headers();
    if (isRefusal(answer))
      return refuse({ ...answer, headers: { ...remaining, ...answer.headers } });
    if (answer.status >= 400 || answer.body === null) finish(answer, entry);
    const isError = answer.status >= 400;
    return remaining || isError
      ? withHeaders(answer, { ...remaining, ...(isError ? ofKey : {}) })
      : answer;
  } catch (error) {
    entry.note({ cause: error instanceof Error ? error.name : 'unknown' });
    return refuse({ refused: 'relay_failed' });
  }
}

/** Forwards an admitted request, or lists the models of several providers. */
async function fulfil(
  request: RelayRequest,
  { client, target, release }: Admission,
  format: Format,
  env: RelayEnv,
  entry: AccessEntry,
): Promise<Answer | Refusal> {
  if (!('listed' in target)) {
    if (target.isCount) {
      release();
      return finish(countedTokens(target.payload?.body ?? new Uint8Array()), entry);
    }
    const passage = new Passage(request.signal, entry, release, env.timeouts.firstByte);
    return forward(request, target, passage, format, env, entry);
  }
  try {
    const list = await listModels(env.models, target.listed, client.terms?.models, format);
    return list
      ? finish(listResponse(JSON.stringify(list)), entry)
      : { refused: 'provider_unreachable' };
  } finally {
    release();
  }
}

function listResponse(list: string): Answer {
  const headers = { 'content-type': 'application/json', ...securityHeaders };
  return { status: 200, headers, body: `${list}\n` };
}

/** Completes the log entry of a response that is not streamed. */
function finish(answer: Answer, entry: AccessEntry): Answer {
  entry.head(answer.status);
  entry.end('complete');
  return answer;
}

function health({ method }: RelayRequest, format: Format): Answer {
  if (method !== 'GET' && method !== 'HEAD') {
    const refusal: Refusal = { refused: 'relay_method_not_allowed', headers: { allow: 'GET' } };
    return refusalResponse(refusal, format);
  }
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  return { status: 200, headers, body: method === 'HEAD' ? null : '{"status":"ok"}\n' };
}

/**
 * Sends an admitted request to its provider and streams the response back. When the client
 * disconnects, the request to the provider is aborted.
 */
async function forward(
  request: RelayRequest,
  { provider, path, listFilter, body, exceeded, payload, charge, sent }: Forwarding,
  passage: Passage,
  format: Format,
  { timeouts, send, budgets }: RelayEnv,
  entry: AccessEntry,
): Promise<Answer | Refusal> {
  const key = provider.key ?? '';
  try {
    const outgoing = {
      method: request.method,
      headers: providerHeaders(request.headers, provider, body !== null),
      body,
      signal: passage.signal,
    };
    // The client may have left while its request was read.
    passage.signal.throwIfAborted();
    charge?.sent();
    const url = `${provider.baseUrl}${path}`;
    const refused = budgets.refusedBy(provider.name);
    const { answer, isUnlimited } = payload
      ? await sendPayload(send, url, outgoing, payload, refused)
      : { answer: await send(url, outgoing), isUnlimited: false };
    sent();
    if (isUnlimited) charge?.unlimited();
    // Some runtimes complete a request whose body failed.
    const refusal = exceeded() ? tooLarge : refusalFor(answer.status, provider);
    if (listFilter && answer.status === 200 && request.method === 'GET')
      return await listedOnly(answer, listFilter, key, passage);
    if (!refusal && answer.status < 400)
      return passedOn(answer, key, passage, timeouts.idle, charge, format);
    charge?.failed();
    const error = refusal ?? (await providerError(answer, provider, format));
    passage.over();
    passage.cut();
    return error;
  } catch (error) {
    const code = codeOf(error);
    entry.note({ cause: code });
    const tooLate = passage.expired || code === 'NETWORK_TIMEOUT';
    // A provider that was connected may have counted the request.
    if (isConnecting(error)) charge?.unsent();
    passage.over();
    passage.cut();
    if (exceeded()) return tooLarge;
    if (code === 'ENCODING_UNKNOWN') return { refused: 'provider_encoding_unknown' };
    return { refused: tooLate ? 'provider_timeout' : 'provider_unreachable' };
  }
}

/** Returns the list of a provider with the models that the client sees. */
async function listedOnly(
  { body }: ProviderAnswer,
  filter: ListFilter,
  key: string,
  passage: Passage,
): Promise<Answer | Refusal> {
  const list = await allowedList(body, filter, key);
  passage.over();
  passage.cut();
  if (list === undefined) return { refused: 'provider_unreachable' };
  passage.begun(200);
  passage.end('complete');
  return listResponse(list);
}

const tooLarge: Refusal = { refused: 'relay_body_too_large' };

/** Returns the refusal for a status that concerns the relay and not the client. */
function refusalFor(status: number, provider: Provider): Refusal | undefined {
  // The relay key was valid. A plain 401 would suggest that it was not.
  if (status === 401 || status === 407) return keyRefusal('provider_key_refused', provider);
  if (status >= 300 && status < 400) return { refused: 'provider_redirect' };
  return undefined;
}

function passedOn(
  answer: ProviderAnswer,
  key: string,
  passage: Passage,
  idle: number,
  charge: Charge | undefined,
  format: Format,
): Answer {
  const { status, body } = answer;
  const headers = clientHeaders(answer.headers, key);
  passage.begun(status);
  if (body === null) {
    charge?.failed();
    passage.end('complete');
    return { status, headers, body: null };
  }
  const type = headers['content-type'] ?? '';
  const redaction = answerFilter(type, key);
  const filter = charge ? chained(redaction, charge.filter(type)) : redaction;
  // The relay may remove or add events.
  if (charge && /^text\/event-stream/i.test(type)) delete headers['content-length'];
  // Nothing may follow a body whose length is known.
  const lastEvent = headers['content-length'] ? () => undefined : lastEventOf(type, format);
  return { status, headers, body: passThrough(body, filter, passage, idle, lastEvent) };
}

/** Returns whether a request failed before it was sent. */
function isConnecting(error: unknown): boolean {
  return error instanceof Error && 'isConnecting' in error && error.isConnecting === true;
}

/** Returns the code only: error messages may contain addresses. */
function codeOf(error: unknown): string {
  const found = error as { code?: unknown; name?: unknown } | null;
  return String(found?.code ?? found?.name ?? 'unknown').slice(0, 64);
}
