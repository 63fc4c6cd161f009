import { readFile } from 'node:fs/promises';

/**
 * Returns whether all data sent over a loopback port was read: the queues of the kernel are empty
 * (proc_net_tcp: `tx_queue:rx_queue`).
 */
export async function isAllRead(port: number): Promise<boolean> {
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = (await readFile('/proc/net/tcp', 'utf8')).split('\n').slice(1);
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, local, remote]) => local?.endsWith(end) || remote?.endsWith(end))
    .every(([, , , , queues]) => queues === '00000000:00000000');
}
