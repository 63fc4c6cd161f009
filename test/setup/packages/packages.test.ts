import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { inTerminal, keys } from '../../pty/terminal.ts';
import { workFolder } from '../../simulator/work-folder.ts';
import { agreeTo, leftOutBy } from './packages.ts';

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const asking = [process.execPath, pathOf('./asking.ts')];
const question = 'now, without starting their services? [y/N] ';

/** Starts a command line, and presses keys once it asks. @returns what it prints after the question */
async function answer(words: readonly string[], pressed: string) {
  const run = inTerminal(words, { cwd: await workFolder() });
  await run.shows(question);
  run.type(pressed);
  const { status, text } = await run.end();
  return { status, after: text.slice(text.indexOf(question) + question.length) };
}

describe('the question about missing packages', () => {
  it.each([
    ['y', 'y\r', 'y\n'],
    ['yes', 'yes\r', 'yes\n'],
  ])('installs them after %s', async (_name, pressed, echo) => {
    expect(await answer(asking, pressed)).toEqual({ status: 0, after: `${echo}goes on\n` });
  });

  it.each([
    ['n', 'n\r', 'n\n'],
    ['Enter', keys.enter, '\n'],
    ['Ctrl-D', '\x04', ''],
  ])('goes on after %s, and says what it leaves out', async (_name, pressed, echo) => {
    const { status, after } = await answer(asking, pressed);
    expect(status).toBe(0);
    expect(after).toMatch(new RegExp(`^${echo}goes on\nleft out: tests that need [^\n]*\n$`));
    expect(after).toContain('no-such-package; not installed, because declined; on Debian');
  });

  it('ends the run after Ctrl-C, and cleans up', async () => {
    const { status, after } = await answer(asking, keys.interrupt);
    expect({ status, after }).toEqual({ status: 130, after: '^Ccleaned up\n' });
  });

  it('leaves nothing out if no package is missing', async () => {
    const plan = await agreeTo([], () => {}, 'this is not Debian or Ubuntu');
    expect(leftOutBy(plan).notes).toEqual([]);
  });

  // Type check, lint and 12,500 tests were printed below the question.
  it('appears in `npm test` before any other step runs', async ({ skip }) => {
    if (process.getuid?.() !== 0) skip('npm test asks root only');
    // Without programs in PATH, all their packages are missing.
    const run = [process.execPath, pathOf('../../run.ts'), '--checks', '--integration'];
    const { status, after } = await answer(
      ['/usr/bin/env', 'PATH=/nowhere', ...run],
      keys.interrupt,
    );
    expect({ status, after }).toEqual({ status: 130, after: '^C' });
  });
});
