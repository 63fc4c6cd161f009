import type { Socket } from 'node:net';

/** More than all replies together. Bytes. */
const largest = 1024;

/** Reads the replies of a SOCKS proxy, which are shorter than TCP segments and may arrive in parts. */
export class SocksIntake {
  readonly #socket: Socket;
  #bytes = Buffer.alloc(0);
  #wake: () => void = () => {};
  #failure: Error | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket
      .on('data', this.#add)
      .on('error', this.#fail)
      .on('close', this.#fail)
      .on('end', this.#fail);
  }

  /** Reads exactly this many bytes. @throws Error if the connection ends before */
  async take(count: number): Promise<Buffer> {
    while (this.#bytes.length < count) {
      if (this.#failure !== undefined) throw this.#failure;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
    const taken = this.#bytes.subarray(0, count);
    this.#bytes = this.#bytes.subarray(count);
    return taken;
  }

  /** Stops reading, so that the connection can be used for another protocol. */
  release(): void {
    const socket = this.#socket;
    socket.pause().off('data', this.#add).off('error', this.#fail);
    socket.off('close', this.#fail).off('end', this.#fail);
    // A server that speaks first, such as sshd, may be faster than this program.
    if (this.#bytes.length > 0) socket.unshift(this.#bytes);
  }

  readonly #add = (chunk: Buffer) => {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    if (this.#bytes.length > largest) this.#socket.destroy();
    this.#wake();
  };

  readonly #fail = (cause?: unknown) => {
    this.#failure ??=
      cause instanceof Error
        ? cause
        : Object.assign(new Error('connection lost'), { code: 'ECONNRESET' });
    this.#wake();
  };
}
