import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  answerFilter,
  HideInLines,
  HideInText,
} from '../../../../appliance/relay/redact/answer-filter.ts';
import { spellingsOf } from '../../../../appliance/relay/redact/redaction.ts';

const key = 'sk-the-provider-key/of+the=owner';
const events = 'text/event-stream; charset=utf-8';

/** Returns the output of a filter for each chunk, and at the end. */
function passed(type: string, ...pieces: ReadonlyArray<string | Uint8Array>): string[] {
  const filter = answerFilter(type, key);
  const out = pieces.map((piece) => filter.push(Buffer.from(piece)));
  return [...out, filter.end()].map((piece) => Buffer.from(piece).toString());
}
const whole = (type: string, text: string) => passed(type, text).join('');
const stars = (text: string) => '*'.repeat(text.length);

/** A text that is split at arbitrary positions. */
const cut = (bytes: Buffer) =>
  fc.array(fc.nat({ max: bytes.length }), { maxLength: 6 }).map((places) => {
    const ends = [0, ...places.toSorted((one, two) => one - two), bytes.length];
    return ends.slice(1).map((end, index) => bytes.subarray(ends[index], end));
  });

describe("the provider's key", () => {
  const types = ['application/json', events, 'text/plain', 'audio/mpeg', 'text/html', ''];

  it.each(types)(
    'removes the key of the provider from a body of type %j in every encoding and split',
    (type) => {
      const text = fc.tuple(fc.string(), fc.constantFrom(...spellingsOf(key)), fc.string());
      const cuts = text.chain((parts) =>
        fc.tuple(fc.constant(parts), cut(Buffer.from(parts.join('')))),
      );
      fc.assert(
        fc.property(cuts, ([[before, spelling, after], pieces]) => {
          const out = passed(type, ...pieces).join('');
          for (const each of spellingsOf(key)) expect(out).not.toContain(each);
          expect(Buffer.byteLength(out)).toBe(Buffer.byteLength(before + spelling + after));
        }),
      );
    },
  );

  it.each(types)('leaves a body of type %j without it unchanged', (type) => {
    const bytes = fc.uint8Array({ maxLength: 300 }).map((each) => Buffer.from(each));
    const cuts = bytes.chain((each) => fc.tuple(fc.constant(each), cut(each)));
    fc.assert(
      fc.property(cuts, ([given, pieces]) => {
        const filter = answerFilter(type, key);
        const out = [...pieces.map((piece) => filter.push(piece)), filter.end()];
        expect(Buffer.concat(out)).toEqual(given);
      }),
    );
  });

  it('holds back only bytes that may be its start', () => {
    expect(passed('audio/mpeg', 'abc sk-the', '-end', 'sk', '')).toEqual([
      'abc ',
      'sk-the-end',
      '',
      '',
      'sk',
    ]);
  });

  it('removes the key of the provider at every position, also when repeated directly', () => {
    expect(whole('audio/mpeg', `${key}${key}-${key}`)).toBe(`${stars(key + key)}-${stars(key)}`);
    expect(whole('audio/mpeg', `sk-the-provider-${key}`)).toBe(`sk-the-provider-${stars(key)}`);
  });
});

describe('an error in a response with status 200', () => {
  const masked = 'gsk_abcd****wxyz';
  const said = `Incorrect API key: ${masked}`;

  it.each([
    { error: { message: said } },
    { error: said },
    { errors: [said] },
    { type: 'error', message: said },
    { object: 'error', message: said },
    { type: 'response.failed', response: { error: { message: said } } },
    { choices: [{ error: { message: said } }] },
    { code: 20_015, message: said, data: null },
    { base_resp: { status_code: 1004, status_msg: said } },
  ])('redacts an error in a response with status 200: %j', (body) => {
    const text = JSON.stringify(body);
    const plain = text.replace(masked, stars(masked));
    for (const type of ['application/json', 'application/problem+json', 'text/plain', ''])
      expect(whole(type, text)).toBe(plain);
    expect(whole('application/x-ndjson', `{"x":1}\n${text}\n`)).toBe(`{"x":1}\n${plain}\n`);
    expect(whole(events, `data: ${text}\n\n`)).toBe(`data: ${plain}\n\n`);
    expect(whole(events, `data:${text}\r\n\r\ndata: [DONE]`)).toBe(
      `data:${plain}\r\n\r\ndata: [DONE]`,
    );
    // With another content type.
    expect(whole('application/json', `data: ${text}\n\n`)).toBe(`data: ${plain}\n\n`);
    expect(whole('application/json', ` \n{"x":1}\n`)).toBe(' \n{"x":1}\n');
  });

  it.each(['gsk_abcd••••wxyz', 'gsk_ab…wxyz', 'xai-abc…wxyz', 'abcd•••wxyz'])(
    'redacts masks of any characters in an error, and keeps the JSON valid: %s',
    (mask) => {
      for (const before of ['key ', 'key:\n', 'key:\t', 'key\u0001']) {
        const text = JSON.stringify({ error: { message: `${before}${mask}` } });
        const ascii = text.replace(/[…•]/g, (each) => `\\u${each.charCodeAt(0).toString(16)}`);
        for (const json of [text, ascii]) {
          const [, data = ''] = /^data: (.*)\n\n$/.exec(whole(events, `data: ${json}\n\n`)) ?? [];
          expect(JSON.parse(data).error.message).toMatch(new RegExp(`^${before}\\*+$`));
        }
      }
    },
  );

  it('redacts an error in an event named error, JSON or not', () => {
    expect(whole(events, `event: error\ndata: ${said}\n\ndata: ${said}\n\n`)).toBe(
      `event: error\ndata: ${said.replace(masked, stars(masked))}\n\ndata: ${said}\n\n`,
    );
  });

  it('keeps its length with any surrounding bytes', () => {
    const text = Buffer.concat([
      Buffer.from(`{"error":"${said} 中 `),
      Buffer.from([0xff]),
      Buffer.from('"}'),
    ]);
    const filter = answerFilter('application/json', key);
    const out = Buffer.concat([filter.push(text), filter.end()]);
    expect(out.length).toBe(text.length);
    expect(out.indexOf('中')).toBe(text.indexOf('中'));
    expect(out.includes(masked)).toBe(false);
  });

  it.each([
    { choices: [{ message: { content: said } }], error: null },
    { choices: [{ delta: { content: said } }] },
    { type: 'response.output_text.delta', delta: said },
    { object: 'list', data: [{ id: said }] },
    { text: said },
  ])('detects no error in output of a model: %j', (body) => {
    const text = JSON.stringify(body);
    expect(whole('application/json', text)).toBe(text);
    expect(whole(events, `data: ${text}\n\n`)).toBe(`data: ${text}\n\n`);
  });
});

describe('a stream', () => {
  it('forwards each event as soon as it is complete', () => {
    const one = 'data: {"x":1}\n\n';
    expect(passed(events, one, 'data: {"y"', ':2}\n\nda', 'ta: [DONE]\n\n')).toEqual([
      one,
      '',
      'data: {"y":2}\n\n',
      'data: [DONE]\n\n',
      '',
    ]);
  });

  it('forwards whitespace that keeps the connection open', () => {
    expect(passed('application/json', '\n', '\n', '{"x":', '1}')).toEqual([
      '\n',
      '\n',
      '',
      '',
      '{"x":1}',
    ]);
  });

  it('forwards JSON lines with any content type', () => {
    expect(passed('application/json', '{"x":1}\n', '{"y":2}\n')).toEqual([
      '{"x":1}\n',
      '{"y":2}\n',
      '',
    ]);
  });

  it.each([events, 'application/json'])('buffers a small amount only, with %s', (type) => {
    const filter = answerFilter(type, key);
    const piece = Buffer.from(`{"error":"${'x'.repeat(20_000)}`);
    let held = 0;
    for (let count = 0; count < 20; count += 1) {
      held += piece.length - filter.push(piece).length;
      expect(held).toBeLessThan(70_000);
    }
    expect(held).toBe(0);
    expect(filter.push(Buffer.from('x\n')).length).toBe(2);
  });
});

const plainKey = 'sk-the-provider-key-of-the-owner';
const bytes = (text: string) => new TextEncoder().encode(text);

describe('a stream of lines', () => {
  it('parses a line only if it can be an error, so that empty lines are cheap', () => {
    const parse = vi.spyOn(JSON, 'parse');
    const filter = new HideInLines(plainKey);
    filter.push(bytes('\n: comment\ndata: [DONE]\n'.repeat(1000)));
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });

  it('redacts an error after whitespace in a stream of lines', () => {
    const filter = new HideInLines(plainKey);
    const line = `data:  {"error":{"message":"bad key ${plainKey}"}}\n`;
    const passed = new TextDecoder().decode(filter.push(bytes(line)));
    expect(passed).not.toContain(plainKey);
    expect(passed).toHaveLength(line.length);
  });
});

describe('a body that may be one JSON value', () => {
  const read = (chunks: readonly string[]) => {
    const filter = new HideInText(plainKey);
    const passed = chunks.map((chunk) => new TextDecoder().decode(filter.push(bytes(chunk))));
    return { passed, rest: new TextDecoder().decode(filter.end()) };
  };

  it('parses a body a few times only, although each line arrives in a chunk of its own', () => {
    const parse = vi.spyOn(JSON, 'parse');
    const { rest } = read(['{\n', ...Array<string>(1000).fill('\n'), '}\n']);
    expect(rest).toHaveLength(1004);
    expect(parse.mock.calls.length).toBeLessThan(5);
    parse.mockRestore();
  });

  it('redacts a body by line if its first line is complete, also if a chunk has several lines', () => {
    const error = '{"error":{"message":"no org-abcdefgh"}}\n';
    const { passed } = read([`\n{"done":false}\n${error}`, error]);
    expect(passed.join('')).toContain('{"done":false}');
    expect(passed.join('')).not.toContain('org-abcdefgh');
    expect(passed.join('')).toHaveLength(16 + 2 * error.length);
  });

  it('redacts a body as a whole if its JSON value has several lines', () => {
    const error = '{\n"error": {\n"message": "no org-abcdefgh"\n}\n}\n';
    const { passed, rest } = read([...error]);
    expect(passed.join('')).toBe('');
    expect(rest).toMatch(/^\{\n"error": \{\n"message": "no \*+"\n\}\n\}\n$/);
  });
});
