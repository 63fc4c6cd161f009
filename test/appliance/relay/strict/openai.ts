import type { ServerResponse } from 'node:http';
import { type Answer, providerKey } from '../provider.ts';
import { type Call, event, stream, strict } from './strict.ts';

interface Tool {
  readonly function: { readonly name: string };
}

/** Answers `/chat/completions` as OpenAI's API: streams two words, or calls the first tool. */
export function answerChat({ body }: Call, response: ServerResponse): unknown {
  const common = { id: 'c1', created: 1, model: body.model };
  const [tool] = (body.tools as Tool[] | undefined) ?? [];
  if (body.stream) {
    const chunks = [{ content: 'Hel' }, { content: 'lo' }].map((delta) =>
      event({ ...common, object: 'chat.completion.chunk', choices: [{ index: 0, delta }] }),
    );
    return stream(response, [...chunks, 'data: [DONE]\n\n']);
  }
  const call = {
    ...{ id: 'call_1', type: 'function' },
    function: { name: tool?.function.name, arguments: '{"city":"Paris"}' },
  };
  const message = tool
    ? { role: 'assistant', content: null, tool_calls: [call] }
    : { role: 'assistant', content: 'Hello' };
  const choice = { index: 0, message, finish_reason: tool ? 'tool_calls' : 'stop' };
  return { ...common, object: 'chat.completion', choices: [choice] };
}

/** Returns OpenAI's list of one model. */
export function modelList(id: string): object {
  return { object: 'list', data: [{ id, object: 'model', created: 1, owned_by: 'stand-in' }] };
}

/** OpenAI's API below `/v1`. */
export const answerAsStrictOpenai: Answer = strict(
  { authorization: new RegExp(`^Bearer ${providerKey}$`) },
  (call, response) => {
    const { method, path } = call;
    if (method === 'GET' && path === '/v1/models') return modelList('gpt-test');
    if (method === 'POST' && path === '/v1/chat/completions') return answerChat(call, response);
    return undefined;
  },
);
