import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { relayConfigSchema } from '../../../../appliance/relay/config.ts';
import { openOutbound } from '../../../../appliance/relay/node/outbound.ts';

it('sends a small body in one piece with its headers, and keeps the connection of a provider that answers at once', async () => {
  const received: string[] = [];
  let connections = 0;
  const provider = createServer((socket) => {
    connections += 1;
    socket.on('data', (data) => {
      received.push(`${data}`);
      socket.write('HTTP/1.1 204 No Content\r\n\r\n');
    });
  });
  provider.listen(0, '127.0.0.1');
  await once(provider, 'listening');
  const outbound = openOutbound(relayConfigSchema.parse({}));
  const { port } = provider.address() as AddressInfo;
  async function* body() {
    for (const piece of ['{"a":', '1}']) {
      await setImmediate();
      yield Buffer.from(piece);
    }
  }
  for (let round = 0; round < 3; round += 1)
    await outbound.send(`http://127.0.0.1:${port}/v1`, {
      ...{ method: 'POST', headers: { 'content-length': '7' } },
      ...{ body: body(), signal: new AbortController().signal },
    });
  await outbound.close();
  provider.close();
  expect(received.map((text) => text.split('\r\n\r\n')[1])).toEqual(Array(3).fill('{"a":1}'));
  expect(connections).toBe(1);
});
