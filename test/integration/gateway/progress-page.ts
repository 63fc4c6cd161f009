import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageServer } from '../../../appliance/server/progress/page/page-server.ts';
import { pageOf } from '../../appliance/server/progress/page/page-of.ts';
import { statusOf } from '../../appliance/server/progress/status-of.ts';
import { RemoteBrowser } from '../remote-browser.ts';
import type { GatewayRig } from './gateway-rig.ts';

const url = 'https://chat.example.com/';
const heading = "document.querySelector('h1').innerText";
const line = "document.querySelector('[role=status]').innerText";

/** Port 80 of a server: connections go to the server that has the port at the moment. */
class Port80 {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #owner: { readonly host: string; readonly port: number } | undefined;

  constructor() {
    this.#server = createServer((client) => {
      if (!this.#owner) return void client.destroy();
      const upstream = connect(this.#owner);
      for (const socket of [client, upstream]) {
        this.#sockets.add(socket);
        socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket));
      }
      client.pipe(upstream).pipe(client);
    }).listen(0, '127.0.0.1');
  }

  async listens(): Promise<void> {
    await once(this.#server, 'listening');
  }

  get port(): number {
    return portOf(this.#server);
  }

  /** Hands the port over; undefined: no server has it. */
  belongsTo(owner: { readonly host: string; readonly port: number } | undefined): void {
    this.#owner = owner;
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.belongsTo(undefined);
    this.#server.close();
  }
}

/** The page of the first boot while the gateway takes port 80, in a real browser. */
export function progressPage(rig: () => GatewayRig, root: string): void {
  describe('the progress page at the address of a server with host names', () => {
    const folder = mkdtempSync(join(tmpdir(), 'landfall-page-'));
    const file = join(folder, 'index.html');
    let own: Server;
    let browser: RemoteBrowser;
    let port: Port80;

    beforeAll(async () => {
      writeFileSync(file, pageOf(statusOf('stack')));
      own = pageServer(file).listen(0, '127.0.0.1');
      browser = RemoteBrowser.start(root);
      port = new Port80();
      await Promise.all([once(own, 'listening'), port.listens()]);
    });
    afterAll(async () => {
      await browser?.close();
      port?.close();
      own?.close();
      rmSync(folder, { recursive: true });
      rmSync(dirname(rig().progressPage), { recursive: true, force: true });
    });

    it('goes on in an open browser when the gateway takes the port, and ends with the URL', async () => {
      port.belongsTo({ host: '127.0.0.1', port: portOf(own) });
      const page = await browser.open(`http://127.0.0.1:${port.port}/`, {
        width: 900,
        height: 900,
      });
      await page.until(`${line}.startsWith('11/15')`);
      await page.evaluate('window.isSamePage = true');
      port.belongsTo(undefined);

      mkdirSync(dirname(rig().progressPage), { recursive: true });
      const progress = { done: 1.2e9, total: 4.3e9, unit: 'bytes' } as const;
      writeFileSync(rig().progressPage, pageOf(statusOf('models', 'running', { progress })));
      port.belongsTo({ host: rig().address, port: 80 });
      await page.until(`${line}.startsWith('13/15')`);
      expect(await page.evaluate("document.querySelector('ol').innerText")).toContain('1.2 GB of');

      writeFileSync(rig().progressPage, pageOf(statusOf(undefined), undefined, url));
      await page.until(`${heading}.startsWith('This server is ready')`);
      expect(await page.evaluate('window.isSamePage')).toBe(true);

      // After F5, the policy still allows its style and its script.
      await page.evaluate('location.reload()');
      await page.until('window.isSamePage === undefined && document.readyState === "complete"');
      expect(await page.evaluate("document.querySelector('main a').href")).toBe(url);
      expect(
        await page.evaluate("getComputedStyle(document.querySelector('ol')).listStyle"),
      ).toMatch(/none/);

      // An hour later.
      rmSync(rig().progressPage);
      await page.until("document.body.innerText.includes('403')");
    });

    it('serves the progress page for addresses only', async () => {
      mkdirSync(dirname(rig().progressPage), { recursive: true });
      writeFileSync(rig().progressPage, pageOf(statusOf('models')));
      const ask = async (host: string) =>
        (await rig().client.ask(`http://${host}/any/path`, { headers: { host } })).status;
      expect(await ask('203.0.113.5')).toBe(200);
      expect(await ask('stranger.invalid')).toBe(403);
      expect(await ask('chat.example.com')).toBe(301);
    });
  });
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('the server does not listen');
  return address.port;
}
