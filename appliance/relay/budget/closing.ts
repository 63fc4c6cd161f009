import { fieldsOf } from '../redact/redaction.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the end of a stream that the relay stops because the budget is used up, as if the model had
 * reached its maximum length. The last event shows the format; in an unknown one, the stream only ends.
 */
export function closingOf(last: Fields): Uint8Array {
  return new TextEncoder().encode(textOf(last));
}

function textOf(last: Fields): string {
  const { type, object, candidates, id, created, model } = last;
  if (object === 'chat.completion.chunk' || object === 'text_completion') {
    const content = object === 'text_completion' ? { text: '' } : { delta: {} };
    const choices = [{ index: 0, ...content, finish_reason: 'length' }];
    return `${eventOf({ id, object, created, model, choices })}data: [DONE]\n\n`;
  }
  if (Array.isArray(candidates))
    return eventOf({ candidates: [{ index: 0, finishReason: 'MAX_TOKENS' }] });
  if ('done' in last)
    return `${JSON.stringify({ model, ...emptyOf(last), done: true, done_reason: 'length' })}\n`;
  if (typeof type !== 'string') return '';
  if (type.startsWith('response.')) return responseEnd(last);
  const delta = { stop_reason: 'max_tokens', stop_sequence: null };
  // Clients require the usage.
  const stop = { type: 'message_delta', delta, usage: { output_tokens: 0 } };
  return [stop, { type: 'message_stop' }].map((each) => namedEvent(each)).join('');
}

function responseEnd({ sequence_number: number, response }: Fields): string {
  return namedEvent({
    type: 'response.incomplete',
    sequence_number: typeof number === 'number' ? number + 1 : 0,
    response: {
      object: 'response',
      output: [],
      ...fieldsOf(response),
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    },
  });
}

/** Returns the empty text of Ollama's chat or of its completion. */
function emptyOf(last: Fields): object {
  return 'message' in last ? { message: { role: 'assistant', content: '' } } : { response: '' };
}

function namedEvent(event: Fields): string {
  return `event: ${event.type}\n${eventOf(event)}`;
}

function eventOf(event: object): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}
