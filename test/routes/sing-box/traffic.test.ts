import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readProxies } from '#proxies/read-proxies.ts';
import { renderClient } from '../../../appliance/stages/route/client/render.ts';
import { CertificateAuthority } from '../../faulty-server/certificates.ts';
import { freePort } from '../../setup/free-port.ts';
import { installSingBox } from './install.ts';

const uuid = '2f1f3f0e-7c47-4b0f-9a55-0d7f0f6a1b2c';
const password = 'correct-horse-battery';
/** 16 bytes in base64, as 2022-blake3-aes-128-gcm requires. */
const key = Buffer.alloc(16, 7).toString('base64');
const tls = { enabled: true, certificate_path: 'cert.pem', key_path: 'key.pem' };
const query = 'sni=localhost&allowInsecure=1';
const vmess = (port: number) =>
  Buffer.from(
    JSON.stringify({
      ...{ v: '2', ps: 'x', add: '127.0.0.1', port, id: uuid, aid: 0, net: 'ws', path: '/chat' },
      ...{ tls: '', type: 'none' },
    }),
  ).toString('base64');

interface Kind {
  /** The inbound of the server. */
  readonly inbound: object;
  readonly link: (port: number) => string;
}

/** Types and transports without a server in Debian, and again those with one. */
const kinds: Readonly<Record<string, Kind>> = {
  'vless over TLS': {
    inbound: { type: 'vless', users: [{ uuid }], tls },
    link: (port) => `vless://${uuid}@127.0.0.1:${port}?encryption=none&security=tls&${query}#x`,
  },
  'vless over WebSocket': {
    inbound: { type: 'vless', users: [{ uuid }], transport: { type: 'ws', path: '/chat' } },
    link: (port) =>
      `vless://${uuid}@127.0.0.1:${port}?encryption=none&security=none&type=ws&path=%2Fchat#x`,
  },
  hysteria2: {
    inbound: { type: 'hysteria2', users: [{ password }], tls },
    link: (port) => `hysteria2://${password}@127.0.0.1:${port}?sni=localhost&insecure=1#x`,
  },
  'hysteria2 with salamander': {
    inbound: {
      type: 'hysteria2',
      users: [{ password }],
      obfs: { type: 'salamander', password: key },
      tls,
    },
    link: (port) =>
      `hy2://${password}@127.0.0.1:${port}?insecure=1&sni=localhost&obfs=salamander&obfs-password=${encodeURIComponent(key)}#x`,
  },
  'vmess over WebSocket': {
    inbound: { type: 'vmess', users: [{ uuid }], transport: { type: 'ws', path: '/chat' } },
    link: (port) => `vmess://${vmess(port)}`,
  },
  'trojan over HTTPUpgrade': {
    inbound: {
      type: 'trojan',
      users: [{ password }],
      tls,
      transport: { type: 'httpupgrade', path: '/up' },
    },
    link: (port) =>
      `trojan://${password}@127.0.0.1:${port}?security=tls&${query}&type=httpupgrade&path=%2Fup#x`,
  },
  'shadowsocks 2022': {
    inbound: { type: 'shadowsocks', method: '2022-blake3-aes-128-gcm', password: key },
    link: (port) => `ss://2022-blake3-aes-128-gcm:${encodeURIComponent(key)}@127.0.0.1:${port}#x`,
  },
};

describe('the proxy client with the link of a real server', () => {
  const programs: ChildProcess[] = [];
  let program: string;
  let folder: string;
  let target: Server;

  beforeAll(async () => {
    program = await installSingBox();
    folder = await mkdtemp(join(tmpdir(), 'landfall-traffic-'));
    const { key: privateKey, cert } = new CertificateAuthority().issue();
    await writeFile(join(folder, 'cert.pem'), cert);
    await writeFile(join(folder, 'key.pem'), privateKey);
    target = createServer((_request, response) => response.end('from the other side'));
    await once(target.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(async () => {
    for (const each of programs) each.kill('SIGKILL');
    target.close();
    await rm(folder, { recursive: true });
  });

  /** Starts sing-box with a configuration. */
  async function start(name: string, config: object): Promise<void> {
    await writeFile(join(folder, name), JSON.stringify(config));
    programs.push(spawn(program, ['run', '-D', folder, '-c', join(folder, name)]));
  }

  it.each(Object.entries(kinds))('passes a request over %s', async (name, { inbound, link }) => {
    const [serverPort, clientPort] = [await freePort(), await freePort()];
    const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`;
    const fetch = () =>
      execa('curl', ['-sS', '-m', '5', '-x', `http://127.0.0.1:${clientPort}`, url], {
        reject: false,
      });
    const { settings } = readProxies(Buffer.from(link(serverPort)), { file: name });
    const [proxy] = settings.proxies;
    if (proxy === undefined) throw new Error('no proxy');
    const client = JSON.parse(renderClient(proxy, 'candidate'));
    client.inbounds[0].listen_port = clientPort;
    await start(`client-${serverPort}.json`, client);
    await expect.poll(() => accepts(clientPort), { timeout: 30_000 }).toBe(true);
    // Without the server, nothing passes.
    expect((await fetch()).stdout).not.toContain('from the other side');
    const listens = { tag: 'in', listen: '127.0.0.1', listen_port: serverPort };
    const outbounds = [{ type: 'direct', tag: 'direct' }];
    await start(`server-${serverPort}.json`, { inbounds: [{ ...inbound, ...listens }], outbounds });
    await expect
      .poll(async () => (await fetch()).stdout, { timeout: 60_000 })
      .toBe('from the other side');
  });
});

async function accepts(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port });
  try {
    return await new Promise<boolean>((resolve) => {
      socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    });
  } finally {
    socket.destroy();
  }
}
