import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { describe, expect, it } from 'vitest';
import { limitConnections } from '../../../../builder/hosting/serve/address-share.ts';

interface StandInSocket extends EventEmitter {
  readonly remoteAddress: string;
  isOpen: boolean;
  destroy(): void;
}

/** Connects from these addresses in turn. Returns which connections are open at the end. */
function connected(addresses: readonly string[], max: number): boolean[] {
  const server = new EventEmitter();
  limitConnections(server as Server, { max, maxPerClient: 2 });
  const sockets = addresses.map((remoteAddress) => {
    const socket: StandInSocket = Object.assign(new EventEmitter(), {
      remoteAddress,
      isOpen: true,
      destroy: () => {
        socket.isOpen = false;
        socket.emit('close');
      },
    });
    server.emit('connection', socket);
    return socket;
  });
  return sockets.map(({ isOpen }) => isOpen);
}

describe('the share of a client', () => {
  it.each([
    ['one IPv4 address', ['192.0.2.1', '192.0.2.1', '192.0.2.1'], [true, true, false]],
    ['IPv4 as IPv6', ['192.0.2.1', '::ffff:192.0.2.1', '192.0.2.1'], [true, true, false]],
    ['addresses of a /64', ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:9::'], [true, true, false]],
    ['several networks', ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1'], [true, true, true]],
    ['several addresses', ['192.0.2.1', '192.0.2.1', '192.0.2.2'], [true, true, true]],
    ['link-local addresses', ['fe80::1%eth0', 'fe80::2%eth0', 'fe80::3'], [true, true, false]],
  ])('counts %s', (_, addresses, open) => {
    expect(connected(addresses, 9)).toEqual(open);
  });
});

describe('the limit of all clients', () => {
  const [one, two, three] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'];

  it('closes the oldest connection of the client that has most', () => {
    expect(connected([two, one, one, three], 3)).toEqual([true, false, true, true]);
  });

  it('lets in a client although others hold all connections', () => {
    const open = connected([one, one, two, two, one, two, three], 4);
    expect(open.filter(Boolean)).toHaveLength(4);
    expect(open.at(-1)).toBe(true);
  });

  it('closes the new connection if each client has only one', () => {
    expect(connected([one, two, three], 2)).toEqual([true, true, false]);
  });
});
