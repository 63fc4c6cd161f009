import { describe, expect, it } from 'vitest';
import { closingOf } from '../../../../appliance/relay/budget/closing.ts';

/** Returns the events of a text, with their data. */
function eventsOf(last: Record<string, unknown>): unknown[] {
  const text = new TextDecoder().decode(closingOf(last));
  if (text !== '') expect(text).toMatch(/\n$/);
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('event: '))
    .map((line) => line.replace(/^data: /, ''))
    .map((data) => (data === '[DONE]' ? data : JSON.parse(data)));
}

describe('the end of a stream whose budget is used up', () => {
  it('says in the format of chat completions that the length was reached', () => {
    const base = { id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm' };
    expect(eventsOf({ ...base, choices: [{ delta: { content: 'x' } }] })).toEqual([
      { ...base, choices: [{ index: 0, delta: {}, finish_reason: 'length' }] },
      '[DONE]',
    ]);
    expect(eventsOf({ object: 'text_completion', id: 't1' })).toEqual([
      {
        object: 'text_completion',
        id: 't1',
        choices: [{ index: 0, text: '', finish_reason: 'length' }],
      },
      '[DONE]',
    ]);
  });

  it('says so in the other formats', () => {
    expect(eventsOf({ type: 'response.output_text.delta', sequence_number: 7 })).toMatchObject([
      {
        type: 'response.incomplete',
        sequence_number: 8,
        response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
      },
    ]);
    expect(eventsOf({ type: 'content_block_delta' })).toMatchObject([
      { type: 'message_delta', delta: { stop_reason: 'max_tokens' } },
      { type: 'message_stop' },
    ]);
    expect(eventsOf({ candidates: [] })).toMatchObject([
      { candidates: [{ finishReason: 'MAX_TOKENS' }] },
    ]);
    expect(eventsOf({ model: 'm', message: {}, done: false })).toEqual([
      {
        model: 'm',
        message: { role: 'assistant', content: '' },
        done: true,
        done_reason: 'length',
      },
    ]);
    expect(eventsOf({ response: 'x', done: false })).toMatchObject([{ response: '', done: true }]);
  });

  it('adds nothing to an unknown format', () => {
    expect(eventsOf({})).toEqual([]);
  });
});
