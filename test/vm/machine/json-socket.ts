import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

interface Reply {
  readonly id?: unknown;
  readonly return?: unknown;
  readonly error?: { readonly desc: string };
}

/**
 * The protocol that qemu's monitor and the agent in a guest have in common: a line of JSON each
 * way, `execute` and `arguments` there, `return` or `error` back (QMP specification, section 2).
 * Who asks gives an id, so an answer to an older question is not taken for one to this.
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

  /** Takes the path of a Unix socket. */
  static async connect(path: string): Promise<JsonSocket> {
    const socket = connect(path);
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve).once('error', reject);
    });
    return new JsonSocket(socket);
  }

  /**
   * Asks and waits for the answer.
   * @param limit seconds after which nobody is expected to answer any more
   * @throws Error when the answer is an error, or none comes
   */
  async ask(execute: string, args: Readonly<Record<string, unknown>>, limit = 60) {
    this.#count += 1;
    const id = `${this.#count}`;
    const answer = new Promise<Reply>((resolve) => this.#waiting.set(id, resolve));
    this.#socket.write(`${JSON.stringify({ execute, arguments: args, id })}\n`);
    const patience = new AbortController();
    const silence = sleep(limit * 1000, undefined, { signal: patience.signal });
    try {
      const reply = await Promise.race([answer, silence]);
      if (reply === undefined) throw new Error(`no answer to ${execute} in ${limit} s`);
      if (reply.error) throw new Error(`${execute}: ${reply.error.desc}`);
      return reply.return;
    } finally {
      this.#waiting.delete(id);
      patience.abort();
      await silence.catch(() => {});
    }
  }

  close(): void {
    this.#socket.destroy();
  }

  /** What a machine that lost its power left half said is no JSON, and no answer. */
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
