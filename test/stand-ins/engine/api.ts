import type { Handler } from '../serve.ts';
import { type EmbedRequest, embed } from './generate/embed.ts';
import {
  chatWording,
  type GenerationRequest,
  generate,
  generateWording,
} from './generate/generate.ts';
import { chatCompletion, listModels } from './generate/openai.ts';
import { Memory } from './models/memory.ts';
import { ModelStore } from './models/model-store.ts';
import { copy, remove, running, show, tags } from './models.ts';
import { type PullRequest, pull, pulledName } from './pull/pull.ts';
import { failure, json, lines } from './replies.ts';
import type { EngineSettings } from './settings.ts';

/** Version that it reports; the same as its image's tag. */
export const version = '0.35.1';

/**
 * Ollama's API (derived from its sources: `api/types.go`, `server/routes.go`) on a store in
 * Ollama's own layout.
 * @param registry address that `registry.ollama.ai` maps to in this test
 */
export async function engineApi(
  settings: EngineSettings,
  registry: string | undefined,
): Promise<Handler> {
  const store = new ModelStore(settings.models);
  await store.prepare();
  if (!settings.noPrune) await store.prune(3_600_000);
  const memory = new Memory(settings, store);
  return async (request) => {
    const { pathname } = new URL(request.url);
    const route = `${request.method === 'HEAD' ? 'GET' : request.method} ${pathname}`;
    const foreign = refuseOrigin(request);
    if (foreign) return foreign;
    switch (route) {
      case 'GET /':
        return new Response('Ollama is running', { headers: { 'content-type': 'text/plain' } });
      case 'GET /api/version':
        return json({ version });
      case 'GET /api/status':
        return json({
          cloud: { disabled: settings.noCloud, source: settings.noCloud ? 'env' : 'none' },
        });
      case 'GET /api/tags':
        return await tags(store);
      case 'GET /api/ps':
        return running(memory);
      case 'GET /v1/models':
        return await listModels(store);
    }
    const body = await readBody(request);
    if (body instanceof Response) return body;
    switch (route) {
      case 'POST /api/generate':
        return await generate({ ...body, messages: undefined }, generateWording, store, memory);
      case 'POST /api/chat':
        if (!body.model) return failure(400, 'model is required');
        return await generate(
          { ...body, messages: body.messages ?? [] },
          chatWording,
          store,
          memory,
        );
      case 'POST /api/embed':
        return await embed(body, store);
      case 'POST /api/show':
        return await show(body.model ?? body.name ?? '', store);
      case 'POST /api/copy':
        return await copy(body, store);
      case 'DELETE /api/delete':
        return await remove(body.model ?? body.name ?? '', store, memory);
      case 'POST /api/pull':
        return await answerPull(body, store, registry);
      case 'POST /v1/chat/completions':
        return await chatCompletion(body, store, memory);
      default:
        return new Response('404 page not found', { status: 404 });
    }
  };
}

type Body = GenerationRequest &
  EmbedRequest &
  PullRequest & { source?: string; destination?: string };

async function readBody(request: Request): Promise<Body | Response> {
  const text = await request.text();
  if (text === '') return failure(400, 'missing request body');
  try {
    return JSON.parse(text) as Body;
  } catch (error) {
    return failure(400, error instanceof Error ? error.message : 'invalid JSON');
  }
}

async function answerPull(
  body: PullRequest,
  store: ModelStore,
  registry: string | undefined,
): Promise<Response> {
  if (!pulledName(body)) return failure(400, 'invalid model name');
  const progress = pull(body, store, registry);
  if (body.stream !== false) return lines(progress);
  try {
    let last = {};
    for await (const line of progress) last = line;
    return json(last);
  } catch (error) {
    return failure(500, error instanceof Error ? error.message : String(error));
  }
}

/** A page of another site must not use Ollama through its visitor's browser. */
function refuseOrigin(request: Request): Response | undefined {
  const origin = request.headers.get('origin');
  if (!origin || /^(app|file|tauri|vscode-[a-z]+):\/\//.test(origin)) return undefined;
  const own =
    URL.canParse(origin) && /^(localhost|127\.0\.0\.1|0\.0\.0\.0)$/.test(new URL(origin).hostname);
  return own ? undefined : new Response(null, { status: 403 });
}
