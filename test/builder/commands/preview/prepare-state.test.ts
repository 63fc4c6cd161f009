import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { choosePorts } from '../../../../builder/commands/preview/prepare-state.ts';
import { freePort } from '../../../setup/free-port.ts';

let server: Server;
let taken: number;
beforeEach(async () => {
  server = createServer();
  taken = await listening(server);
});
afterEach(() => server.close());

const none = async () => new Set<number>();

async function listening(on: Server): Promise<number> {
  await new Promise<void>((resolve) => on.listen(0, '127.0.0.1', resolve));
  const address = on.address();
  return typeof address === 'object' && address ? address.port : 0;
}

describe('the ports of a preview', () => {
  it('chooses the preferred ports of a preview if they are free', async () => {
    const [https, http] = [await freePort(), await freePort()];
    const { ports, moved, release } = await choosePorts({ https, http }, {}, undefined, none);
    await release();
    expect({ ports, moved }).toEqual({ ports: { https, http }, moved: [] });
  });

  it('chooses and reports other ports of a preview if the preferred ones are in use', async () => {
    const http = await freePort();
    const { ports, moved, release } = await choosePorts(
      { https: taken, http },
      {},
      undefined,
      none,
    );
    await release();
    expect(ports.https).not.toBe(taken);
    expect(moved).toEqual([{ name: 'https', taken }]);
  });

  it('chooses other ports of a preview if another preview has recorded them', async () => {
    const [https, http] = [await freePort(), await freePort()];
    const others = async () => new Set([https]);
    const { ports, release } = await choosePorts({ https, http }, {}, undefined, others);
    await release();
    expect(ports.https).not.toBe(https);
  });

  it('reserves the ports of a preview against another preview until they are released', async () => {
    const [https, http] = [await freePort(), await freePort()];
    const first = await choosePorts({ https, http }, {}, undefined, none);
    const second = await choosePorts({ https, http }, {}, undefined, none);
    await Promise.all([first.release(), second.release()]);
    const both = [...Object.values(first.ports), ...Object.values(second.ports)];
    expect(new Set(both).size).toBe(4);
  });

  it('stay the same for running containers, which use them', async () => {
    const ports = { https: taken, http: taken };
    const chosen = await choosePorts(ports, ports, undefined, none);
    await chosen.release();
    expect(chosen.ports).toEqual(ports);
  });

  it('fails if the required port of a preview is in use', async () => {
    const chosen = choosePorts({ https: 8443, http: await freePort() }, {}, taken, none);
    await expect(chosen).rejects.toMatchObject({ code: 'PORT_TAKEN', retriable: false });
  });
});
