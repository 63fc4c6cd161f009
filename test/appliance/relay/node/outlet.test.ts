import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { Outlet } from '../../../../appliance/relay/node/outlet.ts';

/** A response whose reader is controlled by the test. */
class Answer extends Writable {
  take: () => void = () => {};

  constructor() {
    super({ highWaterMark: 16 });
  }

  flushHeaders() {}

  override _write(_piece: unknown, _encoding: unknown, done: () => void): void {
    this.take = done;
  }
}

function open(stallTimeout: number) {
  const answer = new Answer();
  let gaveUp = () => {};
  const given = new Promise<void>((resolve) => {
    gaveUp = resolve;
  });
  const outlet = new Outlet(answer as unknown as ServerResponse, stallTimeout, () => {
    answer.destroy();
    gaveUp();
  });
  return { answer, outlet, given };
}

async function* chunk(size: number) {
  yield new Uint8Array(size);
}

it.each([
  ['a large chunk', 64],
  // It fits into the buffer, so only the end of the response waits.
  ['the last, small chunk', 4],
])('disconnects a client that does not read %s', async (_name, size) => {
  const { outlet, given } = open(50);
  await expect(outlet.send(chunk(size))).rejects.toThrow('has disconnected');
  await given;
});

it.each([64, 4])('waits for a slow client: %i bytes', async (size) => {
  const { answer, outlet } = open(60_000);
  const sent = outlet.send(chunk(size));
  setTimeout(() => answer.take(), 20);
  await expect(sent).resolves.toBeUndefined();
});

it.each(['before', 'after'])(
  'ends a body when the client disconnects %s its start',
  async (when) => {
    const { answer, outlet } = open(60_000);
    let isEnded = false;
    async function* body() {
      try {
        for (;;) yield new Uint8Array(64);
      } finally {
        isEnded = true;
      }
    }
    if (when === 'before') answer.destroy();
    const sent = outlet.send(body());
    if (when === 'after') setTimeout(() => answer.destroy(), 20);
    await expect(sent).rejects.toThrow('has disconnected');
    expect(isEnded).toBe(true);
  },
);
