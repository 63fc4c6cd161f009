import { createHash } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';

const archive = 'meta-json-schema-1.19.24.tgz';
const integrity =
  'sha512-gCdz/f1D5P1bctTCED0pXqUV3GAvV0Uw1lfXkTzFgTp8hq6Wufuubx6inHd1nt6ynlX86NbuZ/KLWrSUKNlxKw==';

/**
 * Downloads the pinned schema of mihomo's configuration from npm once, and returns it. The package is
 * not installed, because its installation script rejects npm.
 */
export async function mihomoSchema(): Promise<object> {
  const cwd = join(homedir(), '.cache', 'landfall-test', 'meta-json-schema');
  await mkdir(cwd, { recursive: true });
  const path = join(cwd, archive);
  let bytes = await readFile(path).catch(() => undefined);
  if (bytes === undefined) {
    await execa('npm', ['pack', 'meta-json-schema@1.19.24'], { cwd });
    bytes = await readFile(path);
  }
  const hash = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  if (hash !== integrity) {
    await rm(path);
    throw new Error('wrong meta-json-schema archive');
  }
  const member = 'package/schemas/meta-json-schema.json';
  const { stdout } = await execa('tar', ['-xzOf', path, member], { maxBuffer: 1 << 24 });
  return JSON.parse(stdout);
}
