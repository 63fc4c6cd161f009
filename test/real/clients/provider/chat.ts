import { type Body, check, events, type Format, piecesOf, requireResults, textOf } from './turn.ts';

interface Message {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: ReadonlyArray<{ readonly id: string }>;
  readonly tool_call_id?: string;
}

/** OpenAI's chat completions. */
export const chat: Format = {
  read: (body: Body) => {
    const messages = body.messages as Message[];
    check(Array.isArray(messages) && messages.length > 0, 'messages: at least one is required');
    for (const [index, { tool_calls }] of messages.entries()) {
      if (!tool_calls) continue;
      const rest = messages.slice(index + 1);
      const end = rest.findIndex(({ role }) => role !== 'tool');
      const results = end < 0 ? rest : rest.slice(0, end);
      requireResults(
        tool_calls.map(({ id }) => id),
        results.map(({ tool_call_id = '' }) => tool_call_id),
      );
    }
    const texts = (...roles: string[]) =>
      messages.filter(({ role }) => roles.includes(role)).map(({ content }) => textOf(content));
    const tools = (body.tools ?? []) as Array<{ function: { name: string } }>;
    return {
      model: `${body.model}`,
      stream: body.stream === true,
      tools: tools.map((tool) => tool.function.name),
      prompt: texts('system', 'developer', 'user').join('\n'),
      results: texts('tool'),
    };
  },
  write: (reply, { model, stream }, turns) => {
    const usage = { prompt_tokens: 30, completion_tokens: 20, total_tokens: 50 };
    const common = { id: `chatcmpl-${turns}`, created: 1_767_225_600, model };
    const isText = 'text' in reply;
    const argumentsText = isText ? '' : JSON.stringify(reply.input);
    const call = isText ? [] : [{ id: `call_${turns}`, type: 'function', name: reply.tool }];
    const finish = isText ? 'stop' : 'tool_calls';
    if (!stream) {
      const tool_calls = call.map(({ id, type, name }) => ({
        ...{ id, type, function: { name, arguments: argumentsText } },
      }));
      const message = isText
        ? { role: 'assistant', content: reply.text, refusal: null }
        : { role: 'assistant', content: null, refusal: null, tool_calls };
      const choices = [{ index: 0, message, logprobs: null, finish_reason: finish }];
      return Response.json({ ...common, object: 'chat.completion', choices, usage });
    }
    const chunk = (delta: object, finish_reason: string | null) => ({
      ...{ ...common, object: 'chat.completion.chunk' },
      choices: [{ index: 0, delta, finish_reason }],
    });
    const begun = call.map(({ id, type, name }) => ({
      ...{ index: 0, id, type, function: { name, arguments: '' } },
    }));
    const deltas = isText
      ? piecesOf(reply.text).map((content) => ({ content }))
      : piecesOf(argumentsText).map((text) => ({
          tool_calls: [{ index: 0, function: { arguments: text } }],
        }));
    return events([
      chunk(
        {
          role: 'assistant',
          content: isText ? '' : null,
          ...(isText ? {} : { tool_calls: begun }),
        },
        null,
      ),
      ...deltas.map((delta) => chunk(delta, null)),
      chunk({}, finish),
      { ...common, object: 'chat.completion.chunk', choices: [], usage },
      '[DONE]',
    ]);
  },
};
