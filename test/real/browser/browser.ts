import type { BrowserContextOptions, Page } from 'playwright-core';
import { type Chromium, startChromium } from '../../integration/chromium.ts';

/** A person's browser: Chromium, which resolves the names of the server to its gateway. */
export class RealBrowser {
  readonly #chromium: Chromium;
  readonly #origins: ReadonlySet<string>;
  /** URLs of requests to other origins than the server's, and errors of its console. */
  readonly strays: string[] = [];
  readonly complaints: string[] = [];

  private constructor(chromium: Chromium, origins: readonly string[]) {
    this.#chromium = chromium;
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
    const rules = names.map((name) => `MAP ${name} ${gateway}`).join(', ');
    const chromium = await startChromium(root, [`--host-resolver-rules=${rules}, MAP * ~NOTFOUND`]);
    const origins = names.map((name) => `https://${name}`);
    return new RealBrowser(chromium, origins);
  }

  /** Opens a window with its own cookies. */
  async window(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.#chromium.browser.newContext({
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
    await this.#chromium.close();
  }
}
