import { describe, expect, it } from 'vitest';
import { BodyPool, peekModel } from '../../../../appliance/relay/models/peek.ts';
import { readStart } from '../../../../appliance/relay/read-start.ts';

/** A body in chunks, and how many of them were read. */
function bodyOf(chunks: readonly string[]) {
  let read = 0;
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = chunks[read];
        if (chunk === undefined) return controller.close();
        read += 1;
        controller.enqueue(new TextEncoder().encode(chunk));
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, read: () => read };
}

const chunks = ['{"model":', '"tiny","messages":[', '{"content":"', 'x'.repeat(50), '"}]}'];

describe('a body that is read for its model', () => {
  it('sends the body unchanged, and reads no further than its model', async () => {
    const { stream, read } = bodyOf(chunks);
    const peeked = await peekModel(stream, new BodyPool(), 'me');
    expect(peeked?.model).toBe('tiny');
    expect(read()).toBe(2);
    expect(await readStart(peeked?.body ?? null, Infinity)).toBe(chunks.join(''));
  });

  it('sends a body without a model unchanged', async () => {
    const peeked = await peekModel(bodyOf(['{"a":', '1}']).stream, new BodyPool(), 'me');
    expect(peeked?.model).toBeUndefined();
    expect(await readStart(peeked?.body ?? null, Infinity)).toBe('{"a":1}');
  });

  it('needs room in the pool, and gives it back when it was sent or dropped', async () => {
    // Two bodies take more than the half of a key.
    const pool = new BodyPool(80);
    const first = await peekModel(bodyOf(chunks).stream, pool, 'me');
    expect(await peekModel(bodyOf(chunks).stream, pool, 'me')).toBeUndefined();
    await readStart(first?.body ?? null, Infinity);
    const second = await peekModel(bodyOf(chunks).stream, pool, 'me');
    second?.drop();
    second?.drop();
    expect(pool.take('me', 41)).toBe(false);
    expect(pool.take('me', 40)).toBe(true);
  });

  it('leaves half of the pool to other keys', () => {
    const pool = new BodyPool(80);
    expect(pool.take('me', 41)).toBe(false);
    expect(pool.take('me', 40)).toBe(true);
    expect(pool.take('me', 1)).toBe(false);
    expect(pool.take('other', 40)).toBe(true);
    expect(pool.take('third', 1)).toBe(false);
    pool.give('me', 40);
    expect(pool.take('third', 40)).toBe(true);
  });

  it('fails like its source, and gives the room back', async () => {
    const pool = new BodyPool(80);
    let pulls = 0;
    const failing = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulls += 1;
        if (pulls > 1) controller.error(new Error('the client has left'));
        else controller.enqueue(new TextEncoder().encode('{"a":'));
      },
    });
    await expect(peekModel(failing, pool, 'me')).rejects.toThrow('the client has left');
    expect(pool.take('me', 40)).toBe(true);
  });
});
