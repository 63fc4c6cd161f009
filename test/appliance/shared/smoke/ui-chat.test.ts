import { describe, expect, it } from 'vitest';
import { uiChatTests } from '../../../../appliance/shared/smoke/cases/ui-chat.ts';
import { registerModels } from '../../../../appliance/shared/smoke/ui-models.ts';
import type { Handler } from '../../../stand-ins/serve.ts';
import { resultOf } from './outcomes.ts';
import { uiServer } from './ui-server.ts';

const model = { name: 'tiny:1b', digest: null, role: 'chat' } as const;
/** The settings of a server with a local chat model. */
const safe = {
  DEFAULT_MODEL_PARAMS: '{"function_calling":"legacy"}',
  ENABLE_TITLE_GENERATION: 'False',
  ENABLE_TAGS_GENERATION: 'False',
  ENABLE_FOLLOW_UP_GENERATION: 'False',
};

interface Generation {
  readonly tools?: readonly object[];
  readonly options?: { readonly num_predict?: number };
}

/** Ollama with one model and a context of 4,096 tokens, about four characters each. */
function ollama(seen: Generation[], reply = 'Hello.'): Handler {
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/api/show') return Response.json({ capabilities: ['completion'] });
    const text = await request.text();
    seen.push(JSON.parse(text));
    const tokens = Math.ceil(text.length / 4);
    return tokens > 4096
      ? Response.json({ error: 'exceeds the available context size' }, { status: 400 })
      : Response.json({ message: { content: reply }, prompt_eval_count: 10 });
  };
}

async function server(env: Record<string, string> = safe, handler = ollama([])) {
  return await uiServer({ env, ollama: handler, installed: model, models: [model] });
}

describe('the smoke test of the chat', () => {
  it('passes when one message is one generation', async () => {
    const seen: Generation[] = [];
    const target = await server(safe, ollama(seen));
    expect(await resultOf('ui-chat', target, uiChatTests)).toMatchObject({ outcome: 'passed' });
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({ options: { num_predict: 16 } });
  });

  // Regression: every smoke test passed, and "hello" in a browser failed.
  it('fails when the tools of Open WebUI exceed the context', async () => {
    const target = await server({ ...safe, DEFAULT_MODEL_PARAMS: '{}' });
    expect(await resultOf('ui-chat', target, uiChatTests)).toMatchObject({
      outcome: 'failed',
      detail: expect.stringContaining('exceeds the available context size'),
    });
  });

  it.each(['ENABLE_TAGS_GENERATION', 'ENABLE_FOLLOW_UP_GENERATION'])(
    'fails when %s makes the model generate more than the reply',
    async (name) => {
      const target = await server({ ...safe, [name]: 'True' });
      expect(await resultOf('ui-chat', target, uiChatTests)).toMatchObject({
        outcome: 'failed',
        detail: 'the model also generated tags or follow-up questions',
      });
    },
  );

  it('fails for an empty reply', async () => {
    const target = await server(safe, ollama([], ''));
    expect(await resultOf('ui-chat', target, uiChatTests)).toMatchObject({ outcome: 'failed' });
  });
});

describe('the smoke test of an account', () => {
  const result = async (target: Awaited<ReturnType<typeof server>>) =>
    await resultOf('ui-chat-account', target, uiChatTests);

  it('passes when the model is registered, and a registered limit applies', async () => {
    const seen: Generation[] = [];
    const target = await server(safe, ollama(seen));
    expect(await registerModels(target, [model])).toEqual([model.name]);
    expect(await registerModels(target, [model])).toEqual([]);
    expect(await result(target)).toMatchObject({ outcome: 'passed' });
  });

  // Regression: a new account saw "No results found" instead of a model.
  it('fails when only administrators see the model', async () => {
    expect(await result(await server())).toMatchObject({ outcome: 'failed' });
  });
});
