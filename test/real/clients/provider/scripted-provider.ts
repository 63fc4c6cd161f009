import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { serve } from '../../../stand-ins/serve.ts';
import { providerKey } from '../../sdk/full-provider.ts';
import { anthropic } from './anthropic.ts';
import { chat } from './chat.ts';
import { gemini } from './gemini.ts';
import { responses } from './responses.ts';
import { type Body, type Format, Malformed, type Reply, type Turn } from './turn.ts';

/** The models of the provider, by API. */
export const models = {
  openai: 'gpt-5-mini',
  anthropic: 'claude-sonnet-4-5',
  gemini: 'gemini-2.5-flash',
  local: 'qwen3:4b-instruct',
} as const;

export type Script = (turn: Turn) => Reply;

export interface ScriptedProvider {
  /** `http://host:port`, for all APIs. */
  readonly origin: string;
  /** The requests for an answer since the script began. */
  readonly turns: readonly Turn[];
  /** The requests that were rejected, with the reason, since the script began. */
  readonly rejected: readonly string[];
  /** Answers by another script from now on. */
  follow(script: Script): void;
  close(): Promise<void>;
}

/**
 * A stand-in of a provider with the three APIs, and of Ollama at its root. It is strict: about its key, the fields that an API requires,
 * and that each call of a tool has its result. What it answers comes from a script.
 */
export async function startScriptedProvider(): Promise<ScriptedProvider> {
  let turns: Turn[] = [];
  let rejected: string[] = [];
  let script: Script = () => ({ text: '' });
  let count = 0;
  const answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (!hasKey(request.headers, pathname)) return failure(401, 'wrong provider key');
    if (request.method === 'GET') return listModels(pathname);
    const body = (await request.json()) as Body;
    if (/\/count_tokens$|:countTokens$/.test(pathname))
      return Response.json({ input_tokens: 30, totalTokens: 30 });
    const format = formatOf(pathname);
    if (!format) return failure(404, `no such endpoint: ${pathname}`);
    const turn = format.read(body, pathname);
    if (!Object.values<string>(models).includes(turn.model))
      return failure(404, `no such model: ${turn.model}`);
    turns.push(turn);
    count += 1;
    return format.write(script(turn), turn, count);
  };
  const handle = async (request: Request) => {
    const response = await answer(request).catch((error: unknown) => {
      if (error instanceof Malformed) return failure(400, error.message);
      throw error;
    });
    if (response.status !== 200)
      rejected.push(`${request.method} ${request.url} ${await response.clone().text()}`);
    return response;
  };
  const server = await serve(handle, '127.0.0.1', 0);
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    get turns() {
      return turns;
    },
    get rejected() {
      return rejected;
    },
    follow: (next) => {
      [turns, rejected, script] = [[], [], next];
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function hasKey(headers: Headers, path: string): boolean {
  if (path.startsWith('/gemini/')) return headers.get('x-goog-api-key') === providerKey;
  if (path.startsWith('/anthropic/')) {
    const version = headers.get('anthropic-version') ?? '';
    return headers.get('x-api-key') === providerKey && /^20\d\d-\d\d-\d\d$/.test(version);
  }
  if (!path.startsWith('/openai/')) return headers.get('authorization') === null;
  return headers.get('authorization') === `Bearer ${providerKey}`;
}

const formats: Readonly<Record<string, Format>> = {
  ...{ '/anthropic/v1/messages': anthropic, '/v1/messages': anthropic },
  ...{ '/openai/v1/chat/completions': chat, '/v1/chat/completions': chat },
  ...{ '/openai/v1/responses': responses, '/v1/responses': responses },
};

function formatOf(path: string): Format | undefined {
  return path.startsWith('/gemini/') ? gemini : formats[path];
}

function listModels(path: string): Response {
  if (path === '/gemini/v1beta/models')
    return Response.json({ models: [{ name: `models/${models.gemini}` }] });
  if (path === '/api/tags')
    return Response.json({ models: [{ name: models.local, model: models.local, size: 1 }] });
  const lists: Readonly<Record<string, string>> = {
    ...{ '/anthropic/v1/models': models.anthropic, '/openai/v1/models': models.openai },
    '/v1/models': models.local,
  };
  const id = lists[path];
  if (id === undefined) return failure(404, `no such endpoint: ${path}`);
  const model = { id, object: 'model', type: 'model', created: 1, owned_by: 'stand-in' };
  return Response.json({ object: 'list', data: [model], has_more: false });
}

function failure(status: number, message: string): Response {
  const error = { message, type: 'invalid_request_error', param: null, code: null };
  return Response.json({ error }, { status });
}
