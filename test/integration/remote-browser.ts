import type { ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { tmpdir } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { talkInChroot } from './chroot.ts';

type Pipes = [complaints: Readable, commands: Writable, answers: Readable];

interface Answer {
  readonly id?: number;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

/** Display options of a page. */
export interface View {
  readonly width: number;
  readonly height: number;
  readonly scheme?: 'light' | 'dark';
}

/** Options of a browser. */
export interface BrowserStart {
  /** Additional command-line arguments. */
  readonly args?: readonly string[];
  /** The process whose network it uses; default: this machine's network. */
  readonly network?: number;
}

/**
 * A browser that is controlled over a pipe with the Chrome DevTools Protocol, for features beyond
 * its command line. Messages end with a zero byte.
 */
export class RemoteBrowser {
  readonly #commands: Writable;
  readonly #answers = new EventEmitter<{ message: [Answer] }>().setMaxListeners(0);
  /** Rejects when the browser has ended. */
  readonly #gone: Promise<never>;
  #count = 0;

  private constructor(browser: ChildProcess) {
    const [, , complaints, commands, answers] = browser.stdio as [null, null, ...Pipes];
    let said = '';
    complaints.setEncoding('utf8').on('data', (text: string) => {
      said = `${said}${text}`.slice(-2000);
    });
    this.#gone = once(browser, 'close').then(([code]): never => {
      throw new Error(`the browser ended with exit code ${code}: ${said}`);
    });
    // Its regular end is not an error.
    this.#gone.catch(() => {});
    this.#commands = commands.on('error', () => {});
    let rest = '';
    answers.setEncoding('utf8').on('data', (text: string) => {
      const messages = `${rest}${text}`.split('\0');
      rest = messages.pop() ?? '';
      for (const message of messages) this.#answers.emit('message', JSON.parse(message));
    });
  }

  /** Starts the browser of this root folder. */
  static start(root: string, { args = [], network }: BrowserStart = {}): RemoteBrowser {
    const browser = talkInChroot(root, {
      folder: tmpdir(),
      command: 'chromium-headless-shell',
      args: [
        ...['--no-sandbox', '--disable-gpu', '--hide-scrollbars', ...args],
        '--remote-debugging-pipe',
      ],
      ...(network === undefined ? {} : { network }),
    });
    return new RemoteBrowser(browser);
  }

  /** Opens a page and waits until it has loaded. A load error of the browser is thrown. */
  async open(url: string, { width, height, scheme = 'light' }: View): Promise<RemotePage> {
    const session = await this.#newPage();
    const size = { width, height, deviceScaleFactor: 1, mobile: width < 600 };
    await this.#call('Emulation.setDeviceMetricsOverride', size, session);
    const features = [{ name: 'prefers-color-scheme', value: scheme }];
    await this.#call('Emulation.setEmulatedMedia', { features }, session);
    const page = await this.#navigate(session, url);
    await page.until("document.readyState === 'complete'");
    return page;
  }

  /** Starts to load a page, also without scripts. A load error of the browser is thrown. */
  async load(url: string): Promise<RemotePage> {
    return await this.#navigate(await this.#newPage(), url);
  }

  /** Stops the browser, which may end before it responds. */
  async close(): Promise<void> {
    await this.#call('Browser.close', {}).catch(() => {});
    await this.#gone.catch(() => {});
  }

  async #newPage(): Promise<string> {
    const { targetId } = await this.#call('Target.createTarget', { url: 'about:blank' });
    const attach = { targetId, flatten: true };
    const { sessionId } = await this.#call('Target.attachToTarget', attach);
    return String(sessionId);
  }

  async #navigate(session: string, url: string): Promise<RemotePage> {
    const { errorText } = await this.#call('Page.navigate', { url }, session);
    if (errorText) throw new Error(String(errorText));
    return new RemotePage((method, params) => this.#call(method, params, session));
  }

  #call(method: string, params: object, sessionId?: string): Promise<Record<string, unknown>> {
    this.#count += 1;
    const id = this.#count;
    const answered = new Promise<Record<string, unknown>>((resolve, reject) => {
      const hear = (answer: Answer) => {
        if (answer.id !== id) return;
        this.#answers.off('message', hear);
        if (answer.error) reject(new Error(`${method}: ${answer.error.message}`));
        else resolve(answer.result ?? {});
      };
      this.#answers.on('message', hear);
    });
    const asked = { id, method, params, ...(sessionId ? { sessionId } : {}) };
    this.#commands.write(`${JSON.stringify(asked)}\0`);
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

  /** Returns the value of an expression in the page; promises are awaited. */
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
        throw new Error(`timed out after 30 s: ${expression}; the page shows: ${text}`);
      }
      await sleep(100);
    }
  }

  /** Returns the HTML of the page. Does not need scripts. */
  async html(): Promise<unknown> {
    const { root } = (await this.#call('DOM.getDocument', { depth: 0 })) as {
      root: { nodeId: number };
    };
    return (await this.#call('DOM.getOuterHTML', { nodeId: root.nodeId })).outerHTML;
  }

  /** Takes a screenshot: PNG. */
  async picture(): Promise<Buffer> {
    const { data } = await this.#call('Page.captureScreenshot', { format: 'png' });
    return Buffer.from(String(data), 'base64');
  }
}
