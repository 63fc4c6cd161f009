import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the descriptions of the DNS providers, in TOML. @param folder of lego's sources */
export function descriptionsIn(folder: string): string[] {
  const providers = join(folder, 'providers/dns');
  return readdirSync(providers, { recursive: true, encoding: 'utf8' })
    .filter((path) => /^[\w-]+\/[\w-]+\.toml$/.test(path))
    .map((path) => readFileSync(join(providers, path), 'utf8'));
}
