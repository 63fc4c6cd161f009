import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workFolder } from '../../simulator/work-folder.ts';
import { ConsoleLog } from './console-log.ts';

const folder = await workFolder();

describe('the console of a machine', () => {
  it('shows the console of a machine without colours and cursor movements', async () => {
    const log = new ConsoleLog(join(folder, 'colours'));
    await appendFile(log.path, '\x1b[!p\x1b[?7h[\x1b[0;32m  OK  \x1b[0m] Started\r\n\x1bcbye');
    expect(await log.text()).toBe('[  OK  ] Started\nbye');
  });

  it('shows an empty console before the machine was switched on', async () => {
    expect(await new ConsoleLog(join(folder, 'none')).text()).toBe('');
  });

  it('can be awaited', async () => {
    const log = new ConsoleLog(join(folder, 'later'));
    await appendFile(log.path, 'ready 1\n');
    const from = await log.end();
    const waiting = log.waitFor(/ready (\d)/, { from });
    await appendFile(log.path, 'rea');
    await appendFile(log.path, 'dy 2\n');
    expect((await waiting)[1]).toBe('2');
  });

  it('fails with its last lines on a timeout', async () => {
    const log = new ConsoleLog(join(folder, 'never'));
    await appendFile(log.path, 'Kernel panic\n');
    await expect(log.waitFor(/login:/, { limit: 0 })).rejects.toThrow('Kernel panic');
  });
});
