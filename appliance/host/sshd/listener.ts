/** An address and a TCP port that a program listens on. */
export interface Listener {
  /** Numeric. `0.0.0.0` and `::` are every address of a version of IP, `*` of both. */
  readonly address: string;
  readonly port: number;
}

/** Reads `0.0.0.0:22`, `[::]:22` or `*:22`. What has no port is no listener. */
export function parseListener(place: string): Listener[] {
  const [, address = '', port = ''] = /^(.*):([0-9]+)$/.exec(place) ?? [];
  if (port === '') return [];
  return [{ address: address.replace(/^\[(.*)\]$/, '$1'), port: Number(port) }];
}
