import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { withTemporaryListeners } from '../../../../../appliance/server/host/outside/probe.ts';
import { freePort } from '../../../../setup/free-port.ts';

const address = '127.0.0.1';

async function stateOf(port: number): Promise<'open' | 'refused'> {
  const socket = connect(port, address);
  const state = await Promise.race([
    once(socket, 'connect').then(() => 'open' as const),
    once(socket, 'close').then(() => 'refused' as const),
  ]).catch(() => 'refused' as const);
  socket.destroy();
  return state;
}

describe('a temporary listener', () => {
  it('answers only while the work runs', async () => {
    const port = await freePort();
    const during = await withTemporaryListeners([{ address, port, standIn: true }], () =>
      stateOf(port),
    );
    expect(during).toBe('open');
    expect(await stateOf(port)).toBe('refused');
  });

  it('listens only on targets with standIn', async () => {
    const port = await freePort();
    expect(await withTemporaryListeners([{ address, port }], () => stateOf(port))).toBe('refused');
  });

  it('closes a temporary listener if the work fails', async () => {
    const port = await freePort();
    const work = withTemporaryListeners([{ address, port, standIn: true }], () =>
      Promise.reject(new Error('no namespace')),
    );
    await expect(work).rejects.toThrow('no namespace');
    expect(await stateOf(port)).toBe('refused');
  });

  it('leaves a port to the process that listens on it', async () => {
    const owner = createServer((socket) => socket.destroy()).listen(0, address);
    await once(owner, 'listening');
    const at = owner.address();
    const port = typeof at === 'object' && at ? at.port : 0;
    expect(
      await withTemporaryListeners([{ address, port, standIn: true }], () => stateOf(port)),
    ).toBe('open');
    owner.close();
  });
});
