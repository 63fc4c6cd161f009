import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** Runs the browser of a Debian root folder; its /tmp is that of this machine, for uploads. */
const launcher = (root: string) => `#!/bin/sh
exec unshare --mount --propagation private sh -c '
mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc" && mount --bind /tmp "$0/tmp" &&
exec chroot "$0" /usr/bin/chromium-headless-shell "$@"' ${root} "$@"
`;

/** A person's browser: Chromium, which resolves the names of the server to its gateway. */
export class RealBrowser {
  readonly #browser: Browser;
  readonly #folder: string;
  readonly #origins: ReadonlySet<string>;
  /** URLs of requests to other origins than the server's, and errors of its console. */
  readonly strays: string[] = [];
  readonly complaints: string[] = [];

  private constructor(browser: Browser, folder: string, origins: readonly string[]) {
    this.#browser = browser;
    this.#folder = folder;
    this.#origins = new Set(origins);
  }

  /**
   * @param root the root folder of a Debian with Chromium
   * @param gateway the address of the gateway
   * @param names host names of the server
   */
  static async start(
    root: string,
    gateway: string,
    names: readonly string[],
  ): Promise<RealBrowser> {
    const folder = await mkdtemp(join(tmpdir(), 'landfall-browser-'));
    const program = join(folder, 'chromium');
    await writeFile(program, launcher(root));
    await chmod(program, 0o755);
    const rules = names.map((name) => `MAP ${name} ${gateway}`).join(', ');
    const browser = await chromium.launch({
      executablePath: program,
      args: [
        ...['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
        `--host-resolver-rules=${rules}, MAP * ~NOTFOUND`,
      ],
    });
    const origins = names.map((name) => `https://${name}`);
    return new RealBrowser(browser, folder, origins);
  }

  /** Opens a window with its own cookies. */
  async window(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.#browser.newContext({
      ignoreHTTPSErrors: true,
      locale: 'en-US',
      viewport: { width: 1280, height: 800 },
      ...options,
    });
    context.setDefaultTimeout(30_000);
    context.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      const isNetwork = protocol === 'https:' || protocol === 'http:';
      if (isNetwork && !this.#origins.has(origin)) this.strays.push(request.url());
    });
    context.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(message.text());
    });
    return await context.newPage();
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
