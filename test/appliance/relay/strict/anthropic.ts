import type { ServerResponse } from 'node:http';
import { type Answer, providerKey } from '../provider.ts';
import { type Call, event, stream, strict } from './strict.ts';

const message = {
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-test' },
  ...{ stop_reason: 'end_turn', stop_sequence: null },
  usage: { input_tokens: 3, output_tokens: 2 },
};

/** Answers `/messages` as Anthropic's API: streams two words, or calls the first tool. */
export function answerMessages({ path, body }: Call, response: ServerResponse): unknown {
  if (path.endsWith('/count_tokens')) return { input_tokens: 3 };
  const [tool] = (body.tools as Array<{ name: string }> | undefined) ?? [];
  if (tool) {
    const use = { type: 'tool_use', id: 'toolu_1', name: tool.name, input: { city: 'Paris' } };
    return { ...message, content: [use], stop_reason: 'tool_use' };
  }
  if (!body.stream) return { ...message, content: [{ type: 'text', text: 'Hello' }] };
  const block = { index: 0 };
  const events = [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    { type: 'content_block_start', ...block, content_block: { type: 'text', text: '' } },
    ...['Hel', 'lo'].map((text) => ({
      ...{ type: 'content_block_delta', ...block, delta: { type: 'text_delta', text } },
    })),
    { type: 'content_block_stop', ...block },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
    { type: 'message_stop' },
  ];
  return stream(
    response,
    events.map((each) => event(each, each.type)),
  );
}

/** Anthropic's API below `/v1`. */
export const answerAsAnthropic: Answer = strict(
  { 'x-api-key': new RegExp(`^${providerKey}$`), 'anthropic-version': /^20\d\d-\d\d-\d\d$/ },
  (call, response) => {
    if (call.method === 'GET' && call.path === '/v1/models') {
      const created_at = '2026-01-01T00:00:00Z';
      const model = { type: 'model', id: 'claude-test', display_name: 'Claude', created_at };
      return { data: [model], has_more: false, first_id: model.id, last_id: model.id };
    }
    if (call.method !== 'POST' || !call.path.startsWith('/v1/messages')) return undefined;
    return answerMessages(call, response);
  },
);
