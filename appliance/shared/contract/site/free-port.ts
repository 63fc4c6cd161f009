/** Returns the next unused port, at least 1024, because lower ports need privileges. */
export function freePort(from: number, used: Iterable<number>): number {
  const taken = new Set(used);
  let port = Math.max(from, 1024);
  while (taken.has(port)) port = port === 65535 ? 1024 : port + 1;
  return port;
}
