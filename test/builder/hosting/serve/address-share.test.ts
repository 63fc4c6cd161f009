import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { describe, expect, it } from 'vitest';
import { limitPerClient } from '../../../../builder/hosting/serve/address-share.ts';

/** Connects from these addresses in turn, with two connections for each client. */
function connected(...addresses: readonly string[]) {
  const server = new EventEmitter();
  limitPerClient(server as Server, 2);
  return addresses.map((remoteAddress) => {
    const socket = Object.assign(new EventEmitter(), { remoteAddress, isOpen: true });
    const destroy = () => {
      socket.isOpen = false;
      socket.emit('close');
    };
    server.emit('connection', Object.assign(socket, { destroy }));
    return socket.isOpen;
  });
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
    expect(connected(...addresses)).toEqual(open);
  });
});
