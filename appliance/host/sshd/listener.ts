/** A listening TCP socket. */
export interface Listener {
  /** Numeric. `0.0.0.0` and `::` mean all addresses of one IP version, `*` of both. */
  readonly address: string;
  readonly port: number;
}

/** Parses `0.0.0.0:22`, `[::]:22` or `*:22`. Returns an empty list for text without a port. */
export function parseListener(text: string): Listener[] {
  const [, address = '', port = ''] = /^(.*):([0-9]+)$/.exec(text) ?? [];
  if (port === '') return [];
  return [{ address: address.replace(/^\[(.*)\]$/, '$1'), port: Number(port) }];
}
