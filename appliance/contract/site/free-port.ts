/** The next port from a given one on that is not in use; from 1024 on, which needs no rights. */
export function freePort(from: number, used: Iterable<number>): number {
  const taken = new Set(used);
  let port = Math.max(from, 1024);
  while (taken.has(port)) port = port === 65535 ? 1024 : port + 1;
  return port;
}
