import { isIP, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { LandfallError } from '#contract/errors.ts';

/** An address and a port to listen on. */
export interface ListenAddress {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
}

/** Parses `127.0.0.1:8080` or `[::]:8080`. @throws LandfallError USAGE */
export function parseListenAddress(text: string): ListenAddress {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain ?? '';
  const port = Number(digits);
  const isValid = isIP(host) !== 0 && isIPv6(host) === (bracketed !== undefined);
  if (isValid && port <= 65_535) return { host, port };
  throw new LandfallError('USAGE', `--listen ${text} is not an address with a port`, {
    hint: 'Write, for example, --listen 0.0.0.0:8080 or --listen [::]:8080',
  });
}

/**
 * Returns the URLs at which a listener is reached. All addresses of the machine for `0.0.0.0` and `::`,
 * with the loopback address last.
 */
export function urlsOf({ host, port }: ListenAddress): string[] {
  const isWildcard = host === '0.0.0.0' || host === '::';
  const hosts = isWildcard ? [...outerAddresses(host === '::'), '127.0.0.1'] : [host];
  return hosts.map((each) => `http://${isIPv6(each) ? `[${each}]` : each}:${port}/`);
}

/** Returns whether only this machine reaches the address. */
export function isLoopback(host: string): boolean {
  return host.startsWith('127.') || host === '::1';
}

/** Networks of containers and virtual machines on this computer, which no server reaches. */
export function isInternalBridge(name: string): boolean {
  return /^(?:docker|br-[0-9a-f]{12}$|veth|virbr|podman|cni|lxc|lxd|vmnet|vboxnet)/.test(name);
}

function outerAddresses(withIPv6: boolean): string[] {
  return (
    Object.entries(networkInterfaces())
      .filter(([name]) => !isInternalBridge(name))
      .flatMap(([, addresses]) => addresses ?? [])
      .filter(({ internal, family }) => !internal && (withIPv6 || family === 'IPv4'))
      // A link-local address is not usable in a URL without the name of an interface.
      .map(({ address }) => address)
      .filter((address) => !/^fe[89ab]/i.test(address))
  );
}
