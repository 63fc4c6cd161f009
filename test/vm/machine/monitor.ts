import { JsonSocket } from './json-socket.ts';
import { netdev } from './machine.ts';

/** The monitor of a running qemu. */
export class Monitor {
  readonly #socket: JsonSocket;
  readonly #ports = new Map<string, number>();

  private constructor(socket: JsonSocket) {
    this.#socket = socket;
  }

  /** @param path the monitor's socket */
  static async connect(path: string): Promise<Monitor> {
    const socket = await JsonSocket.connect(path);
    await socket.ask('qmp_capabilities', {});
    return new Monitor(socket);
  }

  /** Forwards a port of the guest. Returns the port on 127.0.0.1. */
  async forward(guestPort: number, protocol: 'tcp' | 'udp' = 'tcp'): Promise<number> {
    const what = `${guestPort}/${protocol}`;
    const known = this.#ports.get(what);
    if (known !== undefined) return known;
    const refused = await this.#command(
      `hostfwd_add ${netdev} ${protocol}:127.0.0.1:0-:${guestPort}`,
    );
    const table = await this.#command('info usernet');
    const line = new RegExp(
      `${protocol.toUpperCase()}\\[HOST_FORWARD\\]\\s+\\S+\\s+127\\.0\\.0\\.1\\s+(\\d+)\\s+\\S+\\s+${guestPort}\\s`,
    );
    const port = Number(line.exec(table)?.[1]);
    if (!(port > 0)) throw new Error(`qemu does not forward ${guestPort}: ${refused}${table}`);
    this.#ports.set(what, port);
    return port;
  }

  close(): void {
    this.#socket.close();
  }

  /** Runs a command of the human monitor, whose output is plain text. */
  async #command(line: string): Promise<string> {
    const words = { 'command-line': line };
    return String(await this.#socket.ask('human-monitor-command', words));
  }
}
