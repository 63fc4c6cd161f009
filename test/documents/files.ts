import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CommandLine } from './command-lines.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const bundle = String.raw`landfall-\d+\.\d+\.\d+-(?:amd64|arm64)`;

/** Names of files that documented commands write, and of files that users bring. */
const written: readonly RegExp[] = [
  // `landfall init`, `lock`, `keygen`, `user-data`.
  /^(?:appliance|appliance\.lock|site|user-data)\.yaml$/,
  /^(?:release|recovery|next)\.pub$/,
  // `landfall build`, and its members after `tar -x`.
  new RegExp(`^(?:dist/)?(?:${bundle}|\\*)\\.(?:tar|release\\.json)$`),
  /^(?:release\.json|release\.json\.sig|release\.sigstore\.json|sbom\.cdx\.json)$/,
  // The release script.
  /^dist\/v1\.2\.3\/notes\.md$/,
  // The proxies or the subscription of the user.
  /^(?:proxies\.yaml|url\.txt)$/,
];

/** Words that name a file, not a URL, an address on a server, or a file below the home folder. */
const fileName =
  /^(?![~/])(?:[\w.*-]+\/)*[\w.*-]+\.(?:ya?ml|json|jsonc|tar|ts|txt|conf|pub|sig|md|pem)$/;

/**
 * Returns a file of a call that neither exists in the project nor is written by a documented
 * command. The file after `--output` is written by the call itself.
 * @param made files that other calls of the page write
 */
export function missingFile(
  { words, complete }: CommandLine,
  made: ReadonlySet<string>,
): string | undefined {
  if (!complete) return undefined;
  const outputs = words.filter((_word, index) => words[index - 1] === '--output');
  const missing = words
    .slice(1)
    .flatMap((word) => word.split('=').at(-1) ?? [])
    .map((word) => word.replace(/^file:\/\//, ''))
    .find((word) => fileName.test(word) && ![...outputs, ...made].includes(word) && !isKnown(word));
  return missing && `no such file: ${missing}`;
}

function isKnown(name: string): boolean {
  return written.some((pattern) => pattern.test(name)) || existsSync(`${root}/${name}`);
}
