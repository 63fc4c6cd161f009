import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HttpResponse } from '#http/message.ts';
import { bodyLength, bodyStart, openRest, rangeFrom } from '#http/resume.ts';

/** A response with an empty body. */
function head(status: number, headers: Record<string, string> = {}): HttpResponse {
  return {
    status,
    url: new URL('http://a.example/'),
    header: (name) => headers[name],
    body: (async function* () {})(),
    bytes: async () => Buffer.alloc(0),
    text: async () => '',
    discard: async () => {},
  };
}

const start = (range: string, from = 10, size: number | null = 100) =>
  bodyStart(head(206, { 'content-range': range }), from, size);

describe('the offset of a body', () => {
  it('returns the offset 0 for a whole response, whatever was requested', () => {
    expect(bodyStart(head(200, { 'content-range': 'bytes 5-9/10' }), 10, 100)).toBe(0);
  });

  it.each(['bytes 10-99/100', 'bytes 10-99/*', 'BYTES 10-50/100', ' bytes 10-10/100 '])(
    'returns the requested offset with %j',
    (range) => {
      expect(start(range)).toBe(10);
    },
  );

  it.each([
    'bytes 9-99/100',
    'bytes 11-99/100',
    'bytes 10-98/99',
    'bytes 10-100/101',
    'bytes */100',
    'bytes 10-99',
    'bytes 10-/100',
    'bytes -10/100',
    'items 10-99/100',
    'bytes=10-99/100',
    'bytes 10-99/100, bytes 10-99/100',
    '',
  ])('returns no offset with %j', (range) => {
    expect(start(range)).toBeUndefined();
  });

  it('returns the requested offset if the total size is unknown', () => {
    expect(start('bytes 10-99/100', 10, null)).toBe(10);
    expect(start('bytes 9-99/100', 10, null)).toBeUndefined();
  });

  it('returns no offset for 206 without Content-Range, and for any other status', () => {
    expect(bodyStart(head(206), 0, 100)).toBeUndefined();
    for (const status of [201, 204, 304, 404, 416]) {
      expect(
        bodyStart(head(status, { 'content-range': 'bytes 10-99/100' }), 10, 100),
      ).toBeUndefined();
    }
  });

  it('returns only the requested offset or undefined', () => {
    fc.assert(
      fc.property(
        fc.nat(500),
        fc.oneof(fc.string(), fc.stringMatching(/^bytes \d+-\d+\/\d+$/)),
        (from, range) => {
          expect([from, undefined]).toContain(start(range, from));
        },
      ),
    );
  });
});

describe('the length of a body', () => {
  it.each([
    ['0', 0],
    ['1500', 1500],
    ['', undefined],
    ['-1', undefined],
    ['1e3', undefined],
    ['12, 12', undefined],
    ['9999999999999999', undefined],
  ])('announced as %j is %s', (value, expected) => {
    expect(bodyLength(head(200, { 'content-length': value }))).toBe(expected);
  });
});

describe('requesting the rest of a file', () => {
  const unfinished = { from: 10, size: 100, what: 'fetching a' };
  const part = (range: string) => head(206, { 'content-range': range });

  /** Returns the responses in order, and records the requested offsets. */
  function answering(...answers: readonly HttpResponse[]) {
    const asked: number[] = [];
    const open = async (from: number) => {
      asked.push(from);
      const answer = answers[asked.length - 1];
      if (!answer) throw new Error('unexpected request');
      return answer;
    };
    return { asked, open };
  }

  it('continues at the requested offset', async () => {
    const { asked, open } = answering(part('bytes 10-99/100'));
    expect(await openRest(open, unfinished)).toMatchObject({ start: 10 });
    expect(asked).toEqual([10]);
  });

  it('accepts a whole response', async () => {
    const { asked, open } = answering(head(200));
    expect(await openRest(open, unfinished)).toMatchObject({ start: 0 });
    expect(asked).toEqual([10]);
  });

  it.each([
    ['another range', part('bytes 11-99/100')],
    ['a range of a file with another size', part('bytes 10-199/200')],
    ['status 416', head(416)],
  ])('requests the whole file after %s', async (_, answer) => {
    const { asked, open } = answering(answer, head(200));
    expect(await openRest(open, unfinished)).toMatchObject({ start: 0 });
    expect(asked).toEqual([10, 0]);
  });

  it.each([206, 416])('fails with status %i for a request of the whole file', async (status) => {
    const { asked, open } = answering(head(status), head(status));
    await expect(openRest(open, unfinished)).rejects.toMatchObject({ code: 'HTTP_STATUS', status });
    expect(asked).toEqual([10, 0]);
  });

  it('fails with any other status', async () => {
    const { asked, open } = answering(head(404));
    await expect(openRest(open, unfinished)).rejects.toMatchObject({ status: 404 });
    expect(asked).toEqual([10]);
  });

  it('needs no header for the whole file', () => {
    expect(rangeFrom(0)).toEqual({});
    expect(rangeFrom(10)).toEqual({ range: 'bytes=10-' });
  });
});
