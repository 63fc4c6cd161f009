import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

interface Reply {
  readonly id?: unknown;
  readonly return?: unknown;
  readonly error?: { readonly desc: string };
}

/**
 * The common protocol of qemu's monitor and the guest agent: one line of JSON in each direction,
 * with `execute` and `arguments` in requests, `return` or `error` in responses (QMP specification,
 * section 2). Requests have an id, so that a response to an earlier request is not mistaken for the
 * current one.
 */
export class JsonSocket {
  readonly #socket: Socket;
  readonly #waiting = new Map<string, (reply: Reply) => void>();
  #count = 0;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('error', () => {});
    createInterface({ input: socket }).on('line', (line) => this.#receive(line));
  }

  /** @param path a Unix socket */
  static async connect(path: string): Promise<JsonSocket> {
    const socket = connect(path);
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve).once('error', reject);
    });
    return new JsonSocket(socket);
  }

  /**
   * Sends a request and waits for the response.
   * @param limit timeout in seconds
   * @throws Error on an error response or a timeout
   */
  async ask(execute: string, args: Readonly<Record<string, unknown>>, limit = 60) {
    this.#count += 1;
    const id = `${this.#count}`;
    const answer = new Promise<Reply>((resolve) => this.#waiting.set(id, resolve));
    this.#socket.write(`${JSON.stringify({ execute, arguments: args, id })}\n`);
    const timer = new AbortController();
    const silence = sleep(limit * 1000, undefined, { signal: timer.signal });
    try {
      const reply = await Promise.race([answer, silence]);
      if (reply === undefined) throw new Error(`no answer to ${execute} in ${limit} s`);
      if (reply.error) throw new Error(`${execute}: ${reply.error.desc}`);
      return reply.return;
    } finally {
      this.#waiting.delete(id);
      timer.abort();
      await silence.catch(() => {});
    }
  }

  close(): void {
    this.#socket.destroy();
  }

  /** An incomplete line of a machine that lost its power is not JSON. */
  #receive(line: string): void {
    let reply: Reply;
    try {
      reply = JSON.parse(line);
    } catch {
      return;
    }
    if (typeof reply.id === 'string') this.#waiting.get(reply.id)?.(reply);
  }
}
