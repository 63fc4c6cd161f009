import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { clientAddresses } from '../../../../appliance/relay/node/client-address.ts';

const gateway = '172.18.0.5';
const client = '203.0.113.7';

function requestFrom(remoteAddress: string | undefined, named?: string): IncomingMessage {
  const headers = named === undefined ? {} : { 'x-real-ip': named };
  return { headers, socket: { remoteAddress } } as unknown as IncomingMessage;
}

describe('the address of a client of the relay', () => {
  it('uses the address of the connection without a gateway, whatever the client sends', async () => {
    const addressOf = clientAddresses(undefined);
    expect(await addressOf(requestFrom('127.0.0.1', client))).toBe('127.0.0.1');
    expect(await addressOf(requestFrom(undefined, client))).toBeUndefined();
  });

  it('uses the header of the gateway, and of no other peer', async () => {
    const addressOf = clientAddresses(
      'gateway',
      () => 0,
      async () => [gateway],
    );
    expect(await addressOf(requestFrom(gateway, client))).toBe(client);
    expect(await addressOf(requestFrom(`::ffff:${gateway}`, client))).toBe(client);
    expect(await addressOf(requestFrom('172.18.0.9', client))).toBe('172.18.0.9');
    expect(await addressOf(requestFrom(gateway))).toBe(gateway);
  });

  it('follows a gateway that gets another address, with one lookup a second', async () => {
    let [time, lookups, address] = [0, 0, gateway];
    const addressOf = clientAddresses(
      'gateway',
      () => time,
      async () => {
        lookups += 1;
        return [address];
      },
    );
    await Promise.all([1, 2].map(() => addressOf(requestFrom(gateway, client))));
    address = '172.18.0.6';
    expect(await addressOf(requestFrom(address, client))).toBe(address);
    expect(lookups).toBe(1);
    time += 1000;
    expect(await addressOf(requestFrom(address, client))).toBe(client);
    expect(await addressOf(requestFrom(gateway, client))).toBe(gateway);
    expect(lookups).toBe(2);
  });

  it('uses the address of the connection while the gateway cannot be resolved', async () => {
    const addressOf = clientAddresses('x'.repeat(64));
    expect(await addressOf(requestFrom(gateway, client))).toBe(gateway);
  });
});
