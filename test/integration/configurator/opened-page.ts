import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { buildPage } from '../../../builder/page/build-page.ts';
import type { PageFacts } from '../../../builder/page/facts.ts';
import { type Chromium, startChromium } from '../chromium.ts';

/** A file to choose in the page. */
export interface ChosenFile {
  readonly name: string;
  readonly buffer: Buffer;
}

/** A folder with the page and other files, which is opened as a file or over http. */
export class PageFolder {
  readonly #chromium: Chromium;
  readonly #server: Server;
  readonly folder: string;
  /** URLs of requests, and errors of the console, which include violations of the policy. */
  readonly requests: string[] = [];
  readonly complaints: string[] = [];

  private constructor(chromium: Chromium, server: Server, folder: string) {
    this.#chromium = chromium;
    this.#server = server;
    this.folder = folder;
  }

  /** @param root the value of `needs('browser')` */
  static async start(root: string, facts?: PageFacts): Promise<PageFolder> {
    const folder = await mkdtemp(join(tmpdir(), 'landfall-page-'));
    await writeFile(join(folder, 'configurator.html'), await buildPage(facts));
    const server = createServer(async ({ url = '' }, response) => {
      const name = basename(url);
      const content = await readFile(join(folder, name)).catch(() => undefined);
      const type = name.endsWith('.html') ? 'text/html' : 'application/octet-stream';
      response.writeHead(content ? 200 : 404, { 'content-type': type }).end(content);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new PageFolder(await startChromium(root), server, folder);
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Opens the page in a window of its own. */
  async open(over: 'file' | 'http', options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.#chromium.browser.newContext({ locale: 'en-US', ...options });
    context.setDefaultTimeout(60_000);
    context.on('request', (request) => this.requests.push(request.url()));
    context.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(message.text());
    });
    context.on('weberror', (error) => this.complaints.push(String(error.error())));
    const page = await context.newPage();
    await page.goto(`${over === 'file' ? `file://${this.folder}` : this.origin}/configurator.html`);
    return page;
  }

  async close(): Promise<void> {
    await this.#chromium.close();
    await new Promise((resolve) => this.#server.close(resolve));
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Chooses files in the page, as in the dialog of the browser. */
export async function choose(page: Page, files: readonly ChosenFile[]): Promise<void> {
  await page.setInputFiles(
    '#release input[type=file]',
    files.map((file) => ({ ...file, mimeType: 'application/octet-stream' })),
  );
}
