import { connect, type Socket } from 'node:net';

/** What the clients send, each on a connection of its own, the next request after the last answer. */
export interface Load {
  readonly port: number;
  readonly path: string;
  /** Returns the headers of a connection. */
  readonly headersOf: (connection: number) => Readonly<Record<string, string>>;
  readonly body: string;
  readonly connections: number;
  /** Milliseconds, of which the first quarter is not measured. */
  readonly time: number;
  /** Answers after which it ends before that time. */
  readonly most?: number | undefined;
}

export interface LoadFigures {
  /** All answers, also those that are not measured. */
  readonly answers: number;
  /** Requests in a second. */
  readonly rate: number;
  /** Milliseconds from a request to the first byte of the body, in the middle and of 99 %. */
  readonly median: number;
  readonly p99: number;
  /** Answers that were not 200, or broke off. */
  readonly failed: number;
}

/**
 * Sends requests as fast as they are answered. Works on sockets: a client of Node would cost as much as
 * what is measured.
 */
export async function load(given: Load): Promise<LoadFigures> {
  const times: number[] = [];
  const count = { answers: 0, all: 0, failed: 0 };
  const begin = performance.now() + given.time / 4;
  const end = begin + (given.time * 3) / 4;
  const isOver = () => performance.now() >= end || count.all >= (given.most ?? Infinity);
  await Promise.all(
    Array.from({ length: given.connections }, (_, connection) =>
      client(given.port, requestOf(given, connection), isOver, ({ at, firstByte, isGood }) => {
        count.all += 1;
        if (at < begin || at > end) return;
        count.answers += 1;
        if (!isGood) count.failed += 1;
        times.push(firstByte);
      }),
    ),
  );
  times.sort((one, other) => one - other);
  const at = (part: number) => times[Math.floor(times.length * part)] ?? Number.NaN;
  const rate = count.answers / ((end - begin) / 1000);
  return { answers: count.all, rate, median: at(0.5), p99: at(0.99), failed: count.failed };
}

function requestOf({ path, headersOf, body }: Load, connection: number): Buffer {
  const lines = Object.entries({
    ...{ host: 'relay', 'content-type': 'application/json' },
    ...headersOf(connection),
    'content-length': `${Buffer.byteLength(body)}`,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

interface Answered {
  readonly at: number;
  readonly firstByte: number;
  readonly isGood: boolean;
}

/** One connection, which is opened again when it is closed. */
async function client(
  port: number,
  request: Buffer,
  isOver: () => boolean,
  note: (answered: Answered) => void,
): Promise<void> {
  while (!isOver()) {
    const socket = connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    await exchange(socket, request, isOver, note);
    socket.destroy();
  }
}

/** Sends requests on a connection until it closes or the measurement is over. */
function exchange(
  socket: Socket,
  request: Buffer,
  isOver: () => boolean,
  note: (answered: Answered) => void,
): Promise<void> {
  return new Promise((resolve) => {
    let began = 0;
    let answer = new Answer();
    const begin = () => {
      began = performance.now();
      answer = new Answer();
      socket.write(request);
    };
    socket.once('connect', begin);
    socket.once('error', () => {
      note({ at: performance.now(), firstByte: performance.now() - began, isGood: false });
    });
    socket.once('close', () => resolve());
    socket.on('data', (data) => {
      answer.push(data.toString('latin1'));
      if (!answer.isComplete) return;
      const firstByte = answer.firstByte - began;
      note({ at: performance.now(), firstByte, isGood: answer.isGood });
      if (isOver()) resolve();
      else begin();
    });
  });
}

/** Finds the end of an answer: its length, or the last chunk. */
class Answer {
  #head = '';
  #left: number | undefined;
  #tail = '';
  firstByte = 0;
  isGood = false;
  isComplete = false;

  push(data: string): void {
    let body = data;
    if (this.firstByte === 0) {
      this.#head += body;
      const start = this.#head.indexOf('\r\n\r\n') + 4;
      if (start < 4) return;
      this.isGood = this.#head.startsWith('HTTP/1.1 200');
      const [, length] = /\r\ncontent-length: *(\d+)/i.exec(this.#head.slice(0, start)) ?? [];
      this.#left ??= length === undefined ? undefined : Number(length);
      body = this.#head.slice(start);
      if (body === '') return;
      this.firstByte = performance.now();
    }
    if (this.#left !== undefined) {
      this.#left -= body.length;
      this.isComplete = this.#left <= 0;
      return;
    }
    this.#tail = (this.#tail + body).slice(-7);
    this.isComplete = this.#tail.endsWith('\r\n0\r\n\r\n');
  }
}
