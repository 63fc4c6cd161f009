import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { pageServer } from '../../appliance/server/progress/page/page-server.ts';
import { pageOf } from '../appliance/server/progress/page/page-of.ts';
import { statusOf } from '../appliance/server/progress/status-of.ts';
import { inChroot } from './chroot.ts';
import { needs } from './needs.ts';
import { RemoteBrowser } from './remote-browser.ts';

const given = needs('browser');
/** Folder for the output of the browser. */
const output = fileURLToPath(new URL('../output', import.meta.url));
const file = join(output, 'index.html');

const withoutScripts = ['--blink-settings=scriptEnabled=false'];

const progress = { done: 1.2e9, total: 4.3e9, unit: 'bytes' } as const;
const running = pageOf(statusOf('images', 'running', { progress }));
const failed = pageOf(statusOf('stack', 'failed'));

given.describe('the page of the first boot in a real browser', () => {
  let server: Server;
  /** `Sec-Fetch-Dest` of each request: `document` of a load, `empty` of a request by the script. */
  let asked: unknown[];

  beforeAll(async () => {
    mkdirSync(output, { recursive: true });
    server = pageServer(file).on('request', ({ headers }) => {
      asked.push(headers['sec-fetch-dest']);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    rmSync(file, { force: true });
    await new Promise((resolve) => server.close(resolve));
  });
  beforeEach(() => {
    asked = [];
    writeFileSync(file, running);
  });

  /** Opens the page and returns all output of the browser. */
  async function browse(...more: readonly string[]): Promise<string> {
    const { port } = server.address() as AddressInfo;
    const { exitCode, output: printed } = await inChroot(given.browser, {
      folder: output,
      command: 'chromium-headless-shell',
      args: [
        ...['--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--enable-logging=stderr'],
        ...['--user-data-dir=/tmp/browser', ...more, `http://127.0.0.1:${port}/`],
      ],
    });
    expect(exitCode).toBe(0);
    return printed;
  }

  /** Called after the page was sent for the first time. */
  function afterFirst(action: () => void): void {
    server.once('request', (_request, response) => response.once('finish', action));
  }

  it('shows the first-boot page as sent: the policy blocks neither its style nor its script', async () => {
    const dom = await browse('--dump-dom', '--virtual-time-budget=1000');
    expect(dom).not.toMatch(/Content Security Policy|Refused to/);
    expect(dom).toContain('<title>53 % This server is being set up – Landfall</title>');
    expect(dom).toContain('<li class="running" aria-current="step"><b>Load the container images');
    expect(dom).toContain('<p>1.2 GB of 4.3 GB</p>');
    expect(dom.match(/<li class="/g)).toHaveLength(15);
  });

  it('updates without a reload', async () => {
    afterFirst(() => writeFileSync(file, failed));
    const dom = await browse('--dump-dom', '--virtual-time-budget=8000');
    expect(dom).toContain('<h1 class="failed">The setup has stopped');
    expect(dom).toContain('The setup has stopped – Landfall</title>');
    expect(dom).toContain('<li class="failed"><b>Start the services');
  });

  // Replacing everything every three seconds lost the selection, and screen readers did not
  // announce the new line.
  it('keeps unchanged nodes, and the node of the status line', async () => {
    const { port } = server.address() as AddressInfo;
    const browser = RemoteBrowser.start(given.browser);
    try {
      const page = await browser.open(`http://127.0.0.1:${port}/`, { width: 900, height: 900 });
      await page.evaluate(`
        window.line = document.querySelector('[role=status]');
        window.heard = 0;
        new MutationObserver(() => (window.heard += 1)).observe(line, { childList: true });
        window.list = document.querySelector('ol');
        getSelection().selectAllChildren(list);
        window.selected = getSelection().toString();
      `);
      const seen = asked.length;
      await vi.waitFor(() => expect(asked.length).toBeGreaterThan(seen + 1), 60_000);
      expect(
        await page.evaluate('list.isConnected && getSelection().toString() === selected'),
      ).toBe(true);
      expect(await page.evaluate('heard')).toBe(0);

      writeFileSync(file, failed);
      await page.until(
        "document.querySelector('h1').innerText.startsWith('The setup has stopped')",
      );
      expect(await page.evaluate('line.isConnected && line.innerText')).toMatch(/^11\/15: Start/);
      expect(await page.evaluate('heard')).toBe(1);
      expect(await page.evaluate('list.isConnected')).toBe(false);
    } finally {
      await browser.close();
    }
  });

  it('reloads when another server has taken its place', async () => {
    afterFirst(() => writeFileSync(file, '<!doctype html><p>the chat UI</p>'));
    expect(await browse('--dump-dom', '--virtual-time-budget=8000')).toContain(
      '<p>the chat UI</p>',
    );
  });

  it('reloads without JavaScript', async () => {
    const { port } = server.address() as AddressInfo;
    const browser = RemoteBrowser.start(given.browser, { args: withoutScripts });
    try {
      const page = await browser.load(`http://127.0.0.1:${port}/`);
      await vi
        .waitFor(() => expect(asked.slice(0, 2)).toEqual(['document', 'document']), 60_000)
        .catch(async (cause: unknown) => {
          throw new Error(`${asked}; the browser shows: ${await page.html()}`, { cause });
        });
    } finally {
      await browser.close();
    }
  });

  it.each([
    ['page-light', running, ['--window-size=900,900']],
    ['page-dark', running, ['--window-size=900,900', '--blink-settings=preferredColorScheme=0']],
    ['page-phone', running, ['--window-size=390,1000']],
    ['page-failed', failed, ['--window-size=390,1000']],
    [
      'page-failed-dark',
      failed,
      ['--window-size=390,1000', '--blink-settings=preferredColorScheme=0'],
    ],
  ])('renders the first-boot page as %s.png', async (name, page, options) => {
    writeFileSync(file, page);
    const picture = join(output, `${name}.png`);
    rmSync(picture, { force: true });
    await browse(`--screenshot=/mnt/${name}.png`, '--virtual-time-budget=500', ...options);
    expect(existsSync(picture)).toBe(true);
    expect(statSync(picture).size).toBeGreaterThan(10_000);
  });
});
