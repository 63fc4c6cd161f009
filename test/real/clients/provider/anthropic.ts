import {
  type Body,
  check,
  events,
  type Format,
  piecesOf,
  type Reply,
  requireResults,
  textOf,
} from './turn.ts';

interface Block {
  readonly type: string;
  readonly id?: string;
  readonly tool_use_id?: string;
  readonly content?: unknown;
}

interface Message {
  readonly role: string;
  readonly content: string | readonly Block[];
}

const blocksOf = (message: Message | undefined, type: string): Block[] =>
  message && Array.isArray(message.content)
    ? message.content.filter((block: Block) => block.type === type)
    : [];

/** Anthropic's messages. */
export const anthropic: Format = {
  read: (body: Body) => {
    const messages = body.messages as Message[];
    check(Array.isArray(messages) && messages.length > 0, 'messages: at least one is required');
    check(typeof body.max_tokens === 'number', 'max_tokens: Field required');
    check(messages[0]?.role === 'user', 'messages: first message must use the "user" role');
    for (const [index, message] of messages.entries()) {
      const calls = blocksOf(message, 'tool_use').map(({ id = '' }) => id);
      const results = blocksOf(messages[index + 1], 'tool_result');
      if (message.role !== 'assistant') continue;
      requireResults(
        calls,
        results.map(({ tool_use_id = '' }) => tool_use_id),
      );
    }
    const results = messages.flatMap((message) => blocksOf(message, 'tool_result'));
    const prompts = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
    return {
      model: `${body.model}`,
      stream: body.stream === true,
      tools: ((body.tools ?? []) as Array<{ name: string }>).map(({ name }) => name),
      prompt: [body.system, ...prompts].map(textOf).join('\n'),
      results: results.map(({ content }) => textOf(content)),
    };
  },
  write: (reply, { model, stream }, turns) => {
    const message = {
      ...{ id: `msg_${turns}`, type: 'message', role: 'assistant', model, stop_sequence: null },
      usage: { input_tokens: 30, output_tokens: 20 },
    };
    const stop_reason = 'text' in reply ? 'end_turn' : 'tool_use';
    const block = blockOf(reply, turns);
    if (!stream) return Response.json({ ...message, content: [block], stop_reason });
    const index = { index: 0 };
    return events(
      [
        { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
        { type: 'content_block_start', ...index, content_block: emptied(block) },
        ...deltasOf(reply).map((delta) => ({ type: 'content_block_delta', ...index, delta })),
        { type: 'content_block_stop', ...index },
        {
          ...{ type: 'message_delta', delta: { stop_reason, stop_sequence: null } },
          usage: { output_tokens: 20 },
        },
        { type: 'message_stop' },
      ],
      true,
    );
  },
};

function blockOf(reply: Reply, turns: number): object {
  if ('text' in reply) return { type: 'text', text: reply.text };
  return { type: 'tool_use', id: `toolu_${turns}`, name: reply.tool, input: reply.input };
}

function emptied(block: object): object {
  return 'text' in block ? { ...block, text: '' } : { ...block, input: {} };
}

function deltasOf(reply: Reply): object[] {
  if ('text' in reply) return piecesOf(reply.text).map((text) => ({ type: 'text_delta', text }));
  return piecesOf(JSON.stringify(reply.input)).map((partial_json) => ({
    ...{ type: 'input_json_delta', partial_json },
  }));
}
