import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { inChroot, type Outcome } from './chroot.ts';

interface Answer {
  readonly id?: number;
  readonly result?: Record<string, string>;
}

/**
 * A browser that is told what to do while it runs, over the Chrome DevTools Protocol: for what its
 * command line cannot ask for.
 */
export class RemoteBrowser {
  readonly #socket: WebSocket;
  readonly #ended: Promise<Outcome>;
  #count = 0;

  private constructor(socket: WebSocket, ended: Promise<Outcome>) {
    this.#socket = socket;
    this.#ended = ended;
  }

  /** Starts the browser of this root folder. */
  static async start(root: string): Promise<RemoteBrowser> {
    const port = await freePort();
    const ended = inChroot(root, {
      folder: tmpdir(),
      command: 'chromium-headless-shell',
      args: ['--no-sandbox', '--disable-gpu', `--remote-debugging-port=${port}`],
    });
    const socket = new WebSocket(await debuggerAt(port));
    await new Promise((resolve) => socket.addEventListener('open', resolve));
    return new RemoteBrowser(socket, ended);
  }

  /** Opens a page in which no script runs, and leaves it open. */
  async openWithoutScripts(url: string): Promise<void> {
    const { targetId = '' } = await this.#call('Target.createTarget', { url: 'about:blank' });
    const attach = { targetId, flatten: true };
    const { sessionId = '' } = await this.#call('Target.attachToTarget', attach);
    await this.#call('Emulation.setScriptExecutionDisabled', { value: true }, sessionId);
    await this.#call('Page.navigate', { url }, sessionId);
  }

  async close(): Promise<void> {
    await this.#call('Browser.close', {});
    await this.#ended;
  }

  #call(method: string, params: object, sessionId?: string): Promise<Record<string, string>> {
    this.#count += 1;
    const id = this.#count;
    const answered = new Promise<Record<string, string>>((resolve) => {
      this.#socket.addEventListener('message', ({ data }) => {
        const answer: Answer = JSON.parse(String(data));
        if (answer.id === id) resolve(answer.result ?? {});
      });
    });
    this.#socket.send(JSON.stringify({ id, method, params, ...(sessionId ? { sessionId } : {}) }));
    return answered;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Waits until the browser listens, and asks where. */
async function debuggerAt(port: number): Promise<string> {
  for (;;) {
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/json/version`);
      const { webSocketDebuggerUrl } = (await answer.json()) as { webSocketDebuggerUrl: string };
      return webSocketDebuggerUrl;
    } catch {
      await sleep(100);
    }
  }
}
