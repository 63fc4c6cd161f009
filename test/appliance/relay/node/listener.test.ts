import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { Outlet } from '../../../../appliance/relay/node/listener.ts';

/** A response whose reader is controlled by the test. */
class Answer extends Writable {
  take: () => void = () => {};

  constructor() {
    super({ highWaterMark: 16 });
  }

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

it('disconnects a client that does not read a large chunk', async () => {
  const { outlet, given } = open(50);
  await expect(outlet.write(new Uint8Array(64))).rejects.toThrow();
  await given;
});

// A small chunk fits into the buffer, so only the end of the response waits.
it('disconnects a client that does not read the last, small chunk', async () => {
  const { outlet, given } = open(50);
  await outlet.write(new Uint8Array(4));
  await expect(outlet.end()).rejects.toThrow();
  await given;
});

it('waits for a slow client', async () => {
  const { answer, outlet } = open(60_000);
  const written = outlet.write(new Uint8Array(64));
  setTimeout(() => answer.take(), 20);
  await expect(written).resolves.toBeUndefined();
  const ended = outlet.end();
  setTimeout(() => answer.take(), 20);
  await expect(ended).resolves.toBeUndefined();
});

it('detects a client that disconnected before or after the start', async () => {
  const { answer, outlet } = open(60_000);
  const notices: string[] = [];
  outlet.whenGone(() => notices.push('one'));
  const written = outlet.write(new Uint8Array(64));
  answer.destroy();
  await expect(written).rejects.toThrow();
  outlet.whenGone(() => notices.push('two'));
  expect(notices).toEqual(['one', 'two']);
});
