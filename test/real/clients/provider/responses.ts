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

interface Item {
  readonly type?: string;
  readonly role?: string;
  readonly call_id?: string;
  readonly content?: unknown;
  readonly output?: unknown;
}

/** OpenAI's responses. */
export const responses: Format = {
  read: (body: Body) => {
    const items = (
      typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : body.input
    ) as Item[];
    check(Array.isArray(items) && items.length > 0, 'input: at least one item is required');
    const idsOf = (end: RegExp) =>
      items.filter(({ type = '' }) => end.test(type)).map(({ call_id = '' }) => call_id);
    requireResults(idsOf(/_call$/), idsOf(/_call_output$/));
    const results = items.filter(({ type = '' }) => /_call_output$/.test(type));
    const prompts = items.filter(({ role }) => role !== undefined && role !== 'assistant');
    const tools = (body.tools ?? []) as Array<{ type: string; name?: string }>;
    return {
      model: `${body.model}`,
      stream: body.stream === true,
      tools: tools.map(({ type, name = type }) => name),
      prompt: [body.instructions, ...prompts.map(({ content }) => content)].map(textOf).join('\n'),
      results: results.map(({ output }) => textOf(output)),
    };
  },
  write: (reply, { model, stream }, turns) => {
    const item = itemOf(reply, turns);
    const whole = responseOf(model, turns, [item]);
    if (!stream) return Response.json(whole);
    const begun = { ...whole, status: 'in_progress', output: [], usage: null };
    const steps = [
      { type: 'response.created', response: begun },
      { type: 'response.output_item.added', output_index: 0, item: emptied(item) },
      ...deltasOf(reply, `${turns}`),
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: whole },
    ];
    const numbered = steps.map((step, index) => ({ ...step, sequence_number: index }));
    return events(numbered, true);
  },
};

function responseOf(model: string, turns: number, output: readonly object[]): object {
  return {
    ...{ id: `resp_${turns}`, object: 'response', created_at: 1_767_225_600, model },
    ...{ status: 'completed', error: null, incomplete_details: null, instructions: null },
    ...{ metadata: {}, parallel_tool_calls: true, tool_choice: 'auto', tools: [], output },
    usage: {
      ...{ input_tokens: 30, output_tokens: 20, total_tokens: 50 },
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    },
  };
}

function itemOf(reply: Reply, turns: number): object {
  if ('text' in reply) {
    const content = [{ type: 'output_text', text: reply.text, annotations: [], logprobs: [] }];
    const message = { id: `msg_${turns}`, type: 'message', role: 'assistant' };
    return { ...message, status: 'completed', content };
  }
  const call = { call_id: `call_${turns}`, name: reply.tool, status: 'completed' };
  return typeof reply.input === 'string'
    ? { id: `ctc_${turns}`, type: 'custom_tool_call', ...call, input: reply.input }
    : {
        ...{ id: `fc_${turns}`, type: 'function_call', ...call },
        arguments: JSON.stringify(reply.input),
      };
}

function emptied(item: object): object {
  if ('content' in item) return { ...item, status: 'in_progress', content: [] };
  return 'input' in item
    ? { ...item, status: 'in_progress', input: '' }
    : { ...item, status: 'in_progress', arguments: '' };
}

function deltasOf(reply: Reply, turn: string): object[] {
  const at = { output_index: 0 };
  if ('text' in reply) {
    const place = { ...at, item_id: `msg_${turn}`, content_index: 0 };
    const part = { type: 'output_text', text: '', annotations: [], logprobs: [] };
    return [
      { type: 'response.content_part.added', ...place, part },
      ...piecesOf(reply.text).map((delta) => ({
        ...{ type: 'response.output_text.delta', ...place, delta, logprobs: [] },
      })),
      { type: 'response.output_text.done', ...place, text: reply.text, logprobs: [] },
      { type: 'response.content_part.done', ...place, part: { ...part, text: reply.text } },
    ];
  }
  if (typeof reply.input === 'string') {
    const place = { ...at, item_id: `ctc_${turn}` };
    return [
      ...piecesOf(reply.input).map((delta) => ({
        ...{ type: 'response.custom_tool_call_input.delta', ...place, delta },
      })),
      { type: 'response.custom_tool_call_input.done', ...place, input: reply.input },
    ];
  }
  const place = { ...at, item_id: `fc_${turn}` };
  const text = JSON.stringify(reply.input);
  return [
    ...piecesOf(text).map((delta) => ({
      ...{ type: 'response.function_call_arguments.delta', ...place, delta },
    })),
    { type: 'response.function_call_arguments.done', ...place, arguments: text },
  ];
}
