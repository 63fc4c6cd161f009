import { LandfallError } from '#contract/errors.ts';
import { statusFile } from '#contract/server-paths.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { lastLines } from '../ssh/printed.ts';
import type { RootShell } from '../ssh/root.ts';

/** What `landfall route import` gets. */
export interface ProxyImport {
  readonly text: string;
  /** Rejects the text at any problem instead of leaving out entries. */
  readonly strict: boolean;
}

/** Imports from standard input, then waits until the first boot has read the proxies. */
const script = (options: string) => `landfall route import -${options} || exit
while grep -q '"waitsFor"' /${statusFile}; do sleep 1; done`;

/**
 * Imports proxies on a server that waits for them. They go through standard input, because they are
 * secrets.
 * @param note receives what the server imported and left out
 * @throws LandfallError CONFIG_INVALID with the answer of the server; SSH_UNREACHABLE
 */
export async function sendProxies(
  root: RootShell,
  { text, strict }: ProxyImport,
  note: (text: string) => void,
): Promise<void> {
  const { code, stdout, stderr } = await root.run(script(strict ? ' --strict' : ''), text);
  if (code === 0) {
    const lines = stdout.split('\n').map((line) => plainLine(line, 300));
    return lines.filter((line) => line !== '').forEach(note);
  }
  throw new LandfallError('CONFIG_INVALID', 'the server does not import the proxies', {
    hint: 'Import them on the server: sudo landfall route import <file>',
    problems: lastLines(stderr),
  });
}
