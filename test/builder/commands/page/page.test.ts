import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pageCommand } from '../../../../builder/commands/page/page.ts';
import { afterThisTest } from '../../../setup/cleanup.ts';
import { runCommand, terminalIn } from '../terminal.ts';

it('writes the page into a file, or to standard output, and reports a missing folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-page-'));
  afterThisTest(() => rm(folder, { recursive: true }));
  const terminal = terminalIn(folder);
  await runCommand(pageCommand, terminal);
  expect(terminal.out()).toBe('configurator.html: open it in a browser\n');
  const page = await readFile(join(folder, 'configurator.html'), 'utf8');
  expect(page).toMatch(/^<!doctype html>/);

  await runCommand(pageCommand, terminal, '--output', '-');
  expect(terminal.out()).toBe(page);

  const attempt = runCommand(pageCommand, terminal, '--output', 'missing/page.html');
  await expect(attempt).rejects.toMatchObject({ code: 'FILE_MISSING' });
});
