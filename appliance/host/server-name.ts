import { plainLine } from '#contract/text/plain-line.ts';
import { readText } from './files.ts';
import type { Host } from './host.ts';

/** Returns the name of the server; see hostname(5). */
export async function serverName(host: Host): Promise<string> {
  const lines = ((await readText(host, 'etc/hostname')) ?? '').split('\n');
  const name = lines.find((line) => line.trim() !== '' && !line.startsWith('#'));
  return plainLine(name ?? '', 64) || 'this server';
}
