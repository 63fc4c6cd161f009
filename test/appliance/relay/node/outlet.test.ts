import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { Outlet } from '../../../../appliance/relay/node/outlet.ts';

/** An answer whose bytes are taken when the test says so. */
class Answer extends Writable {
  take: () => void = () => {};

  constructor() {
    super({ highWaterMark: 16 });
  }

  override _write(_piece: unknown, _encoding: unknown, done: () => void): void {
    this.take = done;
  }
}

function open(patience: number) {
  const answer = new Answer();
  let gaveUp = () => {};
  const given = new Promise<void>((resolve) => {
    gaveUp = resolve;
  });
  const outlet = new Outlet(answer as unknown as ServerResponse, patience, () => {
    answer.destroy();
    gaveUp();
  });
  return { answer, outlet, given };
}

it('gives up on a client that does not take a large piece', async () => {
  const { outlet, given } = open(50);
  await expect(outlet.write(new Uint8Array(64))).rejects.toThrow();
  await given;
});

// What fits into the buffer of the answer was written already, and only the end waits for it.
it('gives up on a client that does not take the last, small piece', async () => {
  const { outlet, given } = open(50);
  await outlet.write(new Uint8Array(4));
  await expect(outlet.end()).rejects.toThrow();
  await given;
});

it('waits for a client that takes its time', async () => {
  const { answer, outlet } = open(60_000);
  const written = outlet.write(new Uint8Array(64));
  setTimeout(() => answer.take(), 20);
  await expect(written).resolves.toBeUndefined();
  const ended = outlet.end();
  setTimeout(() => answer.take(), 20);
  await expect(ended).resolves.toBeUndefined();
});

it('notices a client that has gone, before and after', async () => {
  const { answer, outlet } = open(60_000);
  const notices: string[] = [];
  outlet.whenGone(() => notices.push('one'));
  const written = outlet.write(new Uint8Array(64));
  answer.destroy();
  await expect(written).rejects.toThrow();
  outlet.whenGone(() => notices.push('two'));
  expect(notices).toEqual(['one', 'two']);
});
