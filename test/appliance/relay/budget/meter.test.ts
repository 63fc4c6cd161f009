import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineMeter } from '../../../../appliance/relay/budget/line-meter.ts';
import { JsonMeter, type Meter } from '../../../../appliance/relay/budget/meter.ts';

const chunk = { id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm' };
const event = (more: object) => `data: ${JSON.stringify({ ...chunk, ...more })}\n\n`;
const text = (content: string) => event({ choices: [{ index: 0, delta: { content } }] });
const extra = (total_tokens: unknown) => event({ choices: [], usage: { total_tokens } });
const done = 'data: [DONE]\n\n';

/** Sends a text in chunks of some lengths, and returns what passes. */
function pass(meter: Meter, body: string, lengths: readonly number[] = []): string {
  const bytes = Buffer.from(body);
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const length of lengths) {
    parts.push(meter.push(bytes.subarray(at, at + length)));
    at += length;
  }
  parts.push(meter.push(bytes.subarray(at)), meter.end());
  return Buffer.concat(parts).toString();
}

describe('the meter of a stream', () => {
  it('counts the same however the stream is split, also inside of characters and of usage', () => {
    const stream = `: comment\n\n${text('你好')}${text('\u{1f600}')}${extra(42)}${done}`;
    const kept = `: comment\n\n${text('你好')}${text('\u{1f600}')}${done}`;
    fc.assert(
      fc.property(fc.array(fc.nat(200)), fc.boolean(), (lengths, hides) => {
        const meter = new LineMeter(hides);
        expect(pass(meter, stream, lengths)).toBe(hides ? kept : stream);
        expect(meter.reported).toMatchObject({ tokens: 42, isValid: true });
        // Six bytes, and a pair of surrogates.
        expect(meter.estimate).toBe(2 + 2);
        expect(meter).toMatchObject({ isFinal: true, isFinished: true });
      }),
    );
  });

  it('counts lines that end in CRLF, and a last one without an end', () => {
    const meter = new LineMeter(true);
    const stream = `${text('a')}${extra(5)}`.replaceAll('\n', '\r\n');
    expect(pass(meter, `${stream}data: [DONE]`)).toBe(
      `${text('a').replaceAll('\n', '\r\n')}data: [DONE]`,
    );
    expect(meter.reported.tokens).toBe(5);
  });

  it('keeps usage that comes with text, and usage of a client that asked for it', () => {
    const both = event({ choices: [{ delta: { content: 'x' } }], usage: { total_tokens: 7 } });
    expect(pass(new LineMeter(true), both)).toBe(both);
    expect(pass(new LineMeter(false), extra(7))).toBe(extra(7));
  });

  it('takes usage for final only at the end of the answer, without text after it', () => {
    const meter = new LineMeter(false);
    const withUsage = (content: string, total_tokens: number, finish_reason: string | null) =>
      event({ choices: [{ delta: { content }, finish_reason }], usage: { total_tokens } });
    pass(meter, withUsage('a', 5, null));
    expect(meter).toMatchObject({ isFinal: false, reported: { tokens: 5 } });
    pass(meter, withUsage('b', 6, 'stop'));
    expect(meter).toMatchObject({ isFinal: true, reported: { tokens: 6 } });
    pass(meter, text('c'));
    expect(meter.isFinal).toBe(false);
  });

  const start = {
    type: 'message_start',
    message: { usage: { input_tokens: 5, output_tokens: 1 } },
  };
  const stop = { type: 'message_delta', delta: { stop_reason: 'end_turn' } };
  it.each([
    ['the start of Anthropic', [start], false],
    ['an end of Anthropic without usage', [start, stop, { type: 'message_stop' }], false],
    ['an end of Anthropic', [start, { ...stop, usage: { output_tokens: 9 } }], true],
    ['a piece of Gemini', [{ candidates: [{}], usageMetadata: { totalTokenCount: 5 } }], false],
    [
      'the last piece of Gemini',
      [{ candidates: [{ finishReason: 'STOP' }], usageMetadata: { totalTokenCount: 5 } }],
      true,
    ],
    ['Ollama', [{ done: true, prompt_eval_count: 2, eval_count: 1 }], true],
    ['responses', [{ type: 'response.completed', response: { usage: { input_tokens: 5 } } }], true],
    ['Moonshot', [{ choices: [{ finish_reason: 'stop', usage: { total_tokens: 5 } }] }], true],
  ])('tells whether %s has the usage of the whole answer', (_, events, isFinal) => {
    const meter = new LineMeter(false);
    pass(meter, events.map((each) => `data: ${JSON.stringify(each)}\n\n`).join(''));
    expect(meter.isFinal).toBe(isFinal);
  });

  it('takes usage for final that [DONE] follows without a reason to finish', () => {
    const meter = new LineMeter(false);
    pass(meter, extra(5) + done);
    expect(meter.isFinal).toBe(true);
  });

  it.each([
    ['OpenAI responses', { type: 'response.output_text.delta', delta: 'abcdef' }, 2],
    [
      'the repetition at their end',
      { type: 'response.completed', response: { output: ['abc'] } },
      0,
    ],
    ['their complete text', { type: 'response.output_text.done', text: 'abcdef' }, 0],
    [
      'Anthropic',
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'abcdef' } },
      2,
    ],
    ['Gemini', { candidates: [{ content: { role: 'model', parts: [{ text: 'abcdef' }] } }] }, 2],
    ['reasoning', { choices: [{ delta: { role: 'assistant', reasoning_content: 'abcdef' } }] }, 2],
    [
      'a tool call',
      {
        choices: [
          {
            delta: {
              tool_calls: [{ id: 'call_1', type: 'function', function: { arguments: 'abcdef' } }],
            },
          },
        ],
      },
      2,
    ],
    ['one letter', { choices: [{ text: 'a' }] }, 1],
    [
      'an image',
      { candidates: [{ content: { parts: [{ inlineData: { data: 'iVBOR+/0'.repeat(999) } }] } }] },
      1500,
    ],
  ])('estimates the text of %s', (_, value, tokens) => {
    const meter = new LineMeter(false);
    pass(meter, `data: ${JSON.stringify(value)}\n\n`);
    expect(meter.estimate).toBe(tokens);
  });

  it.each([
    [{ message: { role: 'assistant', content: 'abcdef' }, done: false }, 2],
    [{ response: 'abc', done: false }, 1],
  ])('estimates the JSON lines of Ollama: %j', (value, tokens) => {
    const meter = new LineMeter(false);
    pass(meter, `${JSON.stringify(value)}\n{"done":true,"prompt_eval_count":3,"eval_count":4}\n`);
    expect(meter).toMatchObject({ estimate: tokens, isFinished: true, reported: { tokens: 7 } });
  });

  it('estimates the same for the common event as for one that it parses', () => {
    const content = fc
      .string({ minLength: 1, unit: 'grapheme' })
      .filter((each) => !/["\\\p{C}]/u.test(each));
    fc.assert(
      fc.property(content, fc.boolean(), (value, ends) => {
        const finish_reason = ends ? 'stop' : null;
        const estimateOf = (delta: object) => {
          const meter = new LineMeter(false);
          pass(meter, event({ choices: [{ index: 0, delta, logprobs: null, finish_reason }] }));
          expect(meter.isFinished).toBe(ends);
          return meter.estimate;
        };
        const expected = estimateOf({ role: 'assistant', content: value });
        expect(estimateOf({ content: value })).toBe(expected);
        expect(expected).toBeGreaterThan(0);
      }),
    );
  });

  it('passes lines that are no JSON, and lines that are too long to hold', () => {
    const long = `data: {"usage":{"total_tokens":5},"x":"${'y'.repeat(600_000)}"}\n\n`;
    const stream = `data: {broken\n\n${long}${extra(8)}`;
    const meter = new LineMeter(false);
    const lengths = Array.from({ length: 60 }, () => 10_000);
    expect(pass(meter, stream, lengths)).toBe(stream);
    expect(meter.estimate).toBeGreaterThan(60_000);
    expect(meter.reported.tokens).toBe(8);
  });
});

describe('the meter of one JSON value', () => {
  const answer = { choices: [{ message: { content: '"usage":{"total_tokens":1}' } }] };
  const usage = { total_tokens: 99, prompt_tokens_details: { cached_tokens: 4 } };

  it('reads usage wherever it is, in any chunks', () => {
    for (const value of [
      { ...answer, usage },
      { usage, ...answer },
    ]) {
      fc.assert(
        fc.property(fc.array(fc.nat(60)), fc.boolean(), (lengths, spaced) => {
          const body = JSON.stringify(value, null, spaced ? 2 : 0);
          const meter = new JsonMeter();
          expect(pass(meter, body, lengths)).toBe(body);
          expect(meter.reported.tokens).toBe(99);
        }),
      );
    }
  });

  it('reads usage at the end of an answer that is too long to hold', () => {
    const body = JSON.stringify({ data: 'x y '.repeat(5e5), ...answer, usage });
    const meter = new JsonMeter();
    expect(
      pass(
        meter,
        body,
        Array.from({ length: 100 }, () => 10_000),
      ),
    ).toBe(body);
    expect(meter.reported.tokens).toBe(99);
    expect(meter.estimate).toBe(Math.ceil(body.length / 3));
  });

  it.each([
    ['its text', answer],
    ['the arguments of a function', { message: { tool_calls: [{ arguments: { usage } }] } }],
  ])('finds no usage of a long answer in %s', (_, value) => {
    const meter = new JsonMeter();
    pass(meter, JSON.stringify({ data: 'x'.repeat(2e6), ...value }), [400_000]);
    expect(meter.reported.isValid).toBe(false);
  });

  it('estimates an image of a megabyte as one file, in any chunks', () => {
    const body = JSON.stringify({ created: 1, data: [{ b64_json: 'iVBOR+/'.repeat(150_000) }] });
    for (const length of [1e7, 70_001]) {
      const meter = new JsonMeter();
      pass(meter, body, new Array<number>(20).fill(length));
      expect(meter.estimate).toBe(
        1500 + Math.ceil('{"created":1,"data":[{"b64_json":""}]}'.length / 3),
      );
    }
  });

  it('estimates a long answer the same, asked for once or after each chunk', () => {
    const body = Buffer.from(`{"a":"${'x y'.repeat(90_000)}","b":"${'iVBOR+/'.repeat(30_000)}"}`);
    const [once, often] = [new JsonMeter(), new JsonMeter()];
    for (let at = 0; at < body.length; at += 9973) {
      once.push(body.subarray(at, at + 9973));
      often.push(body.subarray(at, at + 9973));
      expect(often.estimate).toBeGreaterThan(0);
    }
    expect(often.estimate).toBe(1500 + Math.ceil((body.length - 210_000) / 3));
    expect(once.estimate).toBe(often.estimate);
  });

  it('reads the array of Gemini, and JSON lines with the type of one value', () => {
    const parts = [1, 5].map((totalTokenCount) => ({ usageMetadata: { totalTokenCount } }));
    for (const body of [
      JSON.stringify(parts),
      parts.map((part) => JSON.stringify(part)).join('\n'),
    ]) {
      const meter = new JsonMeter();
      pass(meter, body);
      expect(meter.reported.tokens).toBe(5);
    }
  });
});
