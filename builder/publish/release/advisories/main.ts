import { parseArgs } from 'node:util';
import { execa } from 'execa';
import { exitCodeOf, LandfallError } from '#contract/errors.ts';
import { formatError } from '#contract/text/error.ts';
import { readLock } from '../../../inputs/lock/lock-file.ts';
import { advisoriesMarkdown, scanLocks } from './advisories.ts';

/*
 * `npm run advisories -- --grype <program> <old lock> <new lock>`: prints the advisories that an update
 * of the lock fixes, as Markdown. The workflow `lock` runs it.
 */
try {
  const { values, positionals } = parseArgs({
    options: { grype: { type: 'string', default: 'grype' } },
    allowPositionals: true,
  });
  const [before, after] = await Promise.all(positionals.slice(0, 2).map((path) => readLock(path)));
  if (!before || !after) {
    throw new LandfallError('USAGE', 'two lock files are required', {
      hint: 'Run: npm run advisories -- --grype <program> <old lock> <new lock>',
    });
  }
  const { changes, skipped } = await scanLocks(before, after, async (args) => {
    const { stdout } = await execa(values.grype, args, { stdin: 'ignore', stderr: 'inherit' });
    return stdout;
  });
  console.log(advisoriesMarkdown(changes, skipped));
} catch (error) {
  console.error(formatError(error));
  process.exitCode = exitCodeOf(error);
}
