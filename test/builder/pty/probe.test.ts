import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { status } from '../../faulty-server/faults.ts';
import { FaultyServer } from '../../faulty-server/faulty-server.ts';
import { HttpProxy } from '../../faulty-server/http-proxy.ts';
import { keys } from '../../pty/terminal.ts';
import { TerminalRig } from './rig.ts';

const closed = 'http://127.0.0.1:9/';
const others = ['--echo', closed, '--resolver', closed];

let rig: TerminalRig;
let provider: FaultyServer;
let blackHole: Server;
let silent: string;
const held = new Set<Socket>();
beforeAll(async () => {
  rig = await TerminalRig.make();
  provider = await FaultyServer.start(status(401));
  blackHole = createServer((socket) => held.add(socket.on('error', () => {})));
  await new Promise<void>((resolve) => blackHole.listen(0, '127.0.0.1', resolve));
  silent = `http://127.0.0.1:${(blackHole.address() as AddressInfo).port}`;
});
afterAll(async () => {
  for (const socket of held) socket.destroy();
  blackHole.close();
  await Promise.all([provider.close(), rig.close()]);
});

describe('landfall probe on a terminal', () => {
  it('ends with the verdict, below no remaining progress', async () => {
    const end = await rig.run('probe', provider.origin, ...others);
    expect(end.text).toContain('direct access works');
    expect(end.status).toBe(0);
  });

  it('ends with the code of the network', async () => {
    const end = await rig.run('probe', closed, ...others);
    expect(end.text).toContain('no route works');
    expect(end.status).toBe(5);
  });

  it('shows its progress, and ends on Ctrl-C', async () => {
    const run = rig.start('probe', provider.origin, silent, ...others);
    await run.shows('1 of 2 tests');
    run.type(keys.interrupt);
    expect((await run.end()).status).toBe(130);
  });

  it('prompts for the password of the proxy, which it does not show', async () => {
    const proxy = await HttpProxy.start({ login: 'me:s3cret' });
    const address = proxy.url.replace('//', '//me@');
    const run = rig.start('probe', provider.origin, '--proxy', address, ...others);
    await run.shows('Password of the proxy');
    run.type(`s3cret${keys.enter}`);
    await run.shows('direct access works');
    const { status: code, text } = await run.end();
    expect(text).toMatch(/proxy +\d+ ms +\d+ ms +reachable/);
    expect(text).not.toContain('s3cret');
    expect(code).toBe(0);
    await proxy.close();
  });
});

describe('landfall probe hub on a terminal', () => {
  it('prompts for the token, which it does not show', async () => {
    const run = rig.start('probe', 'hub', 'org/model', '--url', provider.origin);
    await run.shows('Access token of the hub');
    run.type(`hf_s3cret${keys.enter}`);
    const { status: code, text } = await run.end();
    expect(text).toContain('the hub rejected the token');
    expect(text).not.toContain('s3cret');
    expect(code).toBe(5);
    expect(provider.seen('/models/org/model')[0]?.headers.authorization).toBe('Bearer hf_s3cret');
  });

  it('ends on Ctrl-C at the prompt', async () => {
    const run = rig.start('probe', 'hub', '--url', provider.origin);
    await run.shows('Access token of the hub');
    run.type(keys.interrupt);
    expect((await run.end()).status).toBe(130);
  });
});
