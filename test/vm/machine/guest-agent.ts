import { setTimeout as sleep } from 'node:timers/promises';
import type { Ran } from '../../host/machine/exec.ts';
import { JsonSocket } from './json-socket.ts';

/**
 * The guest agent of cloud servers (qemu-guest-agent), as access for tests: it runs as root before
 * the network is up and independently of sshd and the firewall.
 */
export class GuestAgent {
  readonly #socket: JsonSocket;

  private constructor(socket: JsonSocket) {
    this.#socket = socket;
  }

  /** @param path the socket of the agent, which need not be up yet */
  static async connect(path: string): Promise<GuestAgent> {
    return new GuestAgent(await JsonSocket.connect(path));
  }

  /**
   * Runs a program and waits for its end; a failure is not an error.
   * @throws Error if the agent does not respond: the machine is down, or about to be
   */
  async run(
    argv: readonly string[],
    {
      input,
      limit = 600,
    }: { input?: Buffer | string | undefined; limit?: number | undefined } = {},
  ): Promise<Ran> {
    // A timed-out request stays queued and is executed later, so only this harmless one may be
    // sent.
    await this.#socket.ask('guest-ping', {}, pingLimit);
    const [path, ...arg] = ['timeout', '--signal=KILL', `${limit}`, ...argv];
    const data = input === undefined ? {} : { 'input-data': Buffer.from(input).toString('base64') };
    const started = { path, arg, 'capture-output': true, env: environment, ...data };
    const { pid } = (await this.#socket.ask('guest-exec', started)) as { pid: number };
    for (let pause = 50; ; pause = Math.min(pause * 2, 1000)) {
      const status = (await this.#socket.ask('guest-exec-status', { pid })) as ExecStatus;
      if (status.exited) return ranOf(status);
      await sleep(pause);
    }
  }

  close(): void {
    this.#socket.close();
  }
}

/** Seconds; an emulated machine under load is slow. */
const pingLimit = 60;

const environment = [
  'LC_ALL=C.UTF-8',
  'HOME=/root',
  'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
];

/** QEMU Guest Agent protocol reference: GuestExecStatus. */
interface ExecStatus {
  readonly exited: boolean;
  readonly exitcode?: number;
  readonly signal?: number;
  readonly 'out-data'?: string;
  readonly 'err-data'?: string;
}

function ranOf(status: ExecStatus): Ran {
  const textOf = (data = '') => Buffer.from(data, 'base64').toString();
  return {
    exitCode: status.exitcode ?? 128 + (status.signal ?? 0),
    stdout: textOf(status['out-data']),
    stderr: textOf(status['err-data']),
  };
}
