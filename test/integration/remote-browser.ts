import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { inChroot, type Outcome } from './chroot.ts';

interface Answer {
  readonly id?: number;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

/** How a page is shown. */
export interface View {
  readonly width: number;
  readonly height: number;
  readonly scheme?: 'light' | 'dark';
}

/**
 * A browser that is told what to do while it runs, over the Chrome DevTools Protocol: for what its
 * command line cannot ask for.
 */
export class RemoteBrowser {
  readonly #socket: WebSocket;
  readonly #ended: Promise<Outcome>;
  /** Fails when the browser has ended. */
  readonly #gone: Promise<never>;
  #count = 0;

  private constructor(socket: WebSocket, ended: Promise<Outcome>, gone: Promise<never>) {
    this.#socket = socket;
    this.#ended = ended;
    this.#gone = gone;
  }

  /** Starts the browser of this root folder, with more arguments of its own. */
  static async start(root: string, more: readonly string[] = []): Promise<RemoteBrowser> {
    const port = await freePort();
    const ended = inChroot(root, {
      folder: tmpdir(),
      command: 'chromium-headless-shell',
      args: [
        ...['--no-sandbox', '--disable-gpu', '--hide-scrollbars', ...more],
        `--remote-debugging-port=${port}`,
      ],
    });
    const gone = ended.then(({ exitCode, output }): never => {
      throw new Error(`the browser ended with ${exitCode}: ${output.slice(-2000)}`);
    });
    // It ends in the end, when nobody waits for it any more.
    gone.catch(() => {});
    const socket = new WebSocket(await Promise.race([debuggerAt(port), gone]));
    const open = new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve());
      socket.addEventListener('error', () => reject(new Error('the browser hangs up')));
    });
    await Promise.race([open, gone]);
    return new RemoteBrowser(socket, ended, gone);
  }

  /** Opens a page in which no script runs, and leaves it open. */
  async openWithoutScripts(url: string): Promise<void> {
    const session = await this.#newPage();
    await this.#call('Emulation.setScriptExecutionDisabled', { value: true }, session);
    await this.#call('Page.navigate', { url }, session);
  }

  /** Opens a page and waits until it has loaded; what the browser says when it cannot, is an error. */
  async open(url: string, { width, height, scheme = 'light' }: View): Promise<RemotePage> {
    const session = await this.#newPage();
    const size = { width, height, deviceScaleFactor: 1, mobile: width < 600 };
    await this.#call('Emulation.setDeviceMetricsOverride', size, session);
    const features = [{ name: 'prefers-color-scheme', value: scheme }];
    await this.#call('Emulation.setEmulatedMedia', { features }, session);
    const { errorText } = await this.#call('Page.navigate', { url }, session);
    if (errorText) throw new Error(String(errorText));
    const page = new RemotePage((method, params) => this.#call(method, params, session));
    await page.until("document.readyState === 'complete'");
    return page;
  }

  /** Ends the browser, which may be gone before it has answered. */
  async close(): Promise<void> {
    await this.#call('Browser.close', {}).catch(() => {});
    await this.#ended;
  }

  async #newPage(): Promise<string> {
    const { targetId } = await this.#call('Target.createTarget', { url: 'about:blank' });
    const attach = { targetId, flatten: true };
    const { sessionId } = await this.#call('Target.attachToTarget', attach);
    return String(sessionId);
  }

  #call(method: string, params: object, sessionId?: string): Promise<Record<string, unknown>> {
    this.#count += 1;
    const id = this.#count;
    const answered = new Promise<Record<string, unknown>>((resolve, reject) => {
      const hear = ({ data }: MessageEvent) => {
        const answer: Answer = JSON.parse(String(data));
        if (answer.id !== id) return;
        this.#socket.removeEventListener('message', hear);
        if (answer.error) reject(new Error(`${method}: ${answer.error.message}`));
        else resolve(answer.result ?? {});
      };
      this.#socket.addEventListener('message', hear);
    });
    this.#socket.send(JSON.stringify({ id, method, params, ...(sessionId ? { sessionId } : {}) }));
    return Promise.race([answered, this.#gone]);
  }
}

type Call = (method: string, params: object) => Promise<Record<string, unknown>>;

/** One page of a {@link RemoteBrowser}. */
export class RemotePage {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** The value of an expression in the page; a promise is waited for. */
  async evaluate(expression: string): Promise<unknown> {
    const asked = { expression, awaitPromise: true, returnByValue: true };
    const { result } = (await this.#call('Runtime.evaluate', asked)) as {
      result: { value?: unknown };
    };
    return result.value;
  }

  /** Waits until an expression is true in the page. @throws Error with the page's text after 30 s */
  async until(expression: string): Promise<void> {
    const end = performance.now() + 30_000;
    while ((await this.evaluate(expression)) !== true) {
      if (performance.now() > end) {
        const text = await this.evaluate('document.body.innerText');
        throw new Error(`not in 30 s: ${expression}; the page says: ${text}`);
      }
      await sleep(100);
    }
  }

  /** A picture of what a person sees: PNG. */
  async picture(): Promise<Buffer> {
    const { data } = await this.#call('Page.captureScreenshot', { format: 'png' });
    return Buffer.from(String(data), 'base64');
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Waits until the browser listens, and asks where. @throws Error after two minutes */
async function debuggerAt(port: number): Promise<string> {
  const end = performance.now() + 120_000;
  for (;;) {
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/json/version`);
      const { webSocketDebuggerUrl } = (await answer.json()) as { webSocketDebuggerUrl: string };
      return webSocketDebuggerUrl;
    } catch {
      if (performance.now() > end) throw new Error(`no browser listens at ${port}`);
      await sleep(100);
    }
  }
}
