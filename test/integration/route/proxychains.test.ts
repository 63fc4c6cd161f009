import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { proxychainsFile } from '#proxy-settings/proxychains.ts';
import { SocksProxy } from '../../faulty-server/socks-proxy.ts';
import { needs } from '../needs.ts';

const given = needs('proxychains4', 'curl');

given.describe('the real proxychains4 with our settings', () => {
  let folder: string;
  let origin: Server;
  let socks: SocksProxy;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'landfall-chains-'));
    origin = createServer((_request, response) => response.end('reached'));
    await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve));
    const names = { 'overseas.invalid': '127.0.0.1' };
    socks = await SocksProxy.start({ login: 'me:p@ss', names });
    const file = proxychainsFile(`socks5h://me:p%40ss@${socks.host}`);
    writeFileSync(join(folder, 'chains.conf'), file);
  });
  beforeEach(() => {
    socks.asked.length = 0;
  });
  afterAll(async () => {
    await socks?.close();
    origin?.close();
    rmSync(folder, { recursive: true });
  });

  /** Fetches a URL with a curl that knows no proxy. */
  async function fetched(host: string): Promise<string> {
    const { port } = origin.address() as AddressInfo;
    const url = `http://${host}:${port}/`;
    const options = ['-q', '-f', join(folder, 'chains.conf')];
    const env = { http_proxy: '', all_proxy: '' };
    return (await execa(given.proxychains4, [...options, given.curl, '-sS', url], { env })).stdout;
  }

  it('reaches a name that only the proxy resolves', async () => {
    expect(await fetched('overseas.invalid')).toBe('reached');
    expect(socks.asked).toEqual([`overseas.invalid:${(origin.address() as AddressInfo).port}`]);
  });

  it('reaches loopback directly', async () => {
    expect(await fetched('127.0.0.1')).toBe('reached');
    expect(socks.asked).toEqual([]);
  });
});
