import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

/** Bytes. More than the buffers of both ends, so that the rest must cross the network. */
const proof = 16 << 20;
/** Milliseconds between chunks of 64 kB, and until a connection counts as lost. */
const [paceMs, limitMs] = [10, 60_000];

/** An SSH session that stays open. */
export class HeldSession {
  readonly #ssh: ChildProcess;
  #count = 0;

  /** @param args arguments of ssh whose command is `cat` */
  constructor(args: readonly string[]) {
    this.#ssh = spawn('ssh', args, { stdio: ['pipe', 'pipe', 'inherit'] });
  }

  /** Sends a line and waits for its echo. @throws Error if the session is lost */
  async echo(): Promise<void> {
    const { stdin, stdout } = this.#ssh;
    if (!stdin || !stdout) throw new Error('no session');
    this.#count += 1;
    const line = `line ${this.#count}`;
    const lines = createInterface({ input: stdout });
    stdin.write(`${line}\n`);
    const answer = once(lines, 'line', { signal: AbortSignal.timeout(limitMs) });
    const [echo] = await Promise.race([answer, once(this.#ssh, 'exit').then(() => ['lost'])]);
    lines.close();
    if (echo !== line) throw new Error(`the session answered ${echo} instead of ${line}`);
  }

  close(): void {
    this.#ssh.kill();
  }
}

/** A slow download that stays open. */
export class HeldDownload {
  readonly #response: IncomingMessage;
  #received = 0;
  #error: unknown;

  private constructor(response: IncomingMessage) {
    this.#response = response;
    response.on('error', (error) => {
      this.#error = error;
    });
    response.on('data', (chunk: Buffer) => {
      this.#received += chunk.length;
      response.pause();
      setTimeout(() => response.resume(), paceMs);
    });
  }

  /** @param from the address of this machine to connect from */
  static async start(url: string, from: string): Promise<HeldDownload> {
    const request = get(url, { localAddress: from });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    // After the response, a lost connection is an error of both.
    request.on('error', () => undefined);
    if (response.statusCode !== 200) throw new Error(`HTTP status ${response.statusCode}`);
    return new HeldDownload(response);
  }

  /** Waits until more than the buffers has arrived. @throws Error if the download is lost or stands still */
  async goesOn(): Promise<void> {
    const wanted = this.#received + proof;
    const end = performance.now() + limitMs;
    while (this.#received < wanted) {
      if (this.#error !== undefined) throw new Error(`the download is lost: ${this.#error}`);
      if (performance.now() > end) throw new Error('the download stands still');
      await sleep(paceMs);
    }
  }

  close(): void {
    this.#response.destroy();
  }
}
