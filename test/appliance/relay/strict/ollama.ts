import type { ServerResponse } from 'node:http';
import type { Answer } from '../provider.ts';
import { answerMessages } from './anthropic.ts';
import { answerChat, modelList } from './openai.ts';
import { type Call, stream, strict } from './strict.ts';

const model = 'qwen3:8b';

interface Tool {
  readonly function: { readonly name: string };
}

function answerOllamaChat({ body }: Call, response: ServerResponse): unknown {
  const [tool] = (body.tools as Tool[] | undefined) ?? [];
  const answer = (message: object, done: boolean) => ({
    ...{ model, created_at: '2026-01-01T00:00:00Z', done },
    message: { role: 'assistant', content: '', ...message },
  });
  if (tool) {
    const call = { function: { name: tool.function.name, arguments: { city: 'Paris' } } };
    return answer({ tool_calls: [call] }, true);
  }
  if (!body.stream) return answer({ content: 'Hello' }, true);
  const lines = [answer({ content: 'Hel' }, false), answer({ content: 'lo' }, true)];
  return stream(
    response,
    lines.map((line) => `${JSON.stringify(line)}\n`),
    'application/x-ndjson',
  );
}

/** Ollama, which gets no header of the client besides those about the body. */
export const answerAsOllama: Answer = strict({}, (call, response) => {
  switch (`${call.method} ${call.path}`) {
    case 'GET /api/tags':
      return { models: [{ name: model, model, size: 1 }] };
    case 'GET /api/version':
    case 'HEAD /api/version':
      return { version: '0.32.0' };
    case 'POST /api/chat':
      return answerOllamaChat(call, response);
    case 'GET /v1/models':
      return modelList(model);
    case 'POST /v1/chat/completions':
      return answerChat(call, response);
    case 'POST /v1/messages':
      return answerMessages(call, response);
    default:
      return undefined;
  }
});
