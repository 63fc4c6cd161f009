import { readText, statIfPresent } from '../host/files.ts';
import type { FileDifference, Host } from '../host/host.ts';

/** Every user may read the file, so it contains no secrets. */
const readableByAll = 0o004;

/**
 * Returns the difference between a file and what a stage would write, as lines of a unified diff. A
 * file that only some users may read can contain secrets, so its content is not shown. Empty for a
 * file that does not exist yet.
 * @throws LandfallError TOOL_MISSING, COMMAND_FAILED
 */
export async function diffFile(
  host: Host,
  { path, content, mode }: FileDifference,
): Promise<string[]> {
  const found = await statIfPresent(host, path);
  if (!found) return [];
  const before = found.mode & 0o7777;
  const octal = (bits: number) => bits.toString(8).padStart(3, '0');
  const permissions =
    before === mode ? [] : [`/${path}: mode ${octal(before)} would become ${octal(mode)}`];
  if ((before & mode & readableByAll) === 0) {
    const isSame = (await readText(host, path)) === content;
    return [...permissions, ...(isSame ? [] : [`/${path}: the content differs and is private`])];
  }
  const labels = ['--label', `/${path}`, '--label', `/${path} (new)`];
  const { stdout } = await host.run('diff', ['--unified', ...labels, host.path(path), '-'], {
    input: content,
    accept: [1],
  });
  return [...permissions, ...(stdout === '' ? [] : stdout.split('\n'))];
}
