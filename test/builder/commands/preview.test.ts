import { describe, expect, it } from 'vitest';
import { previewCommand } from '../../../builder/commands/preview.ts';
import { runCommand, terminalIn } from './terminal.ts';

describe('landfall preview', () => {
  it.each([
    [[], 'no bundle is given'],
    [['--keep-data'], '--keep-data is given without --down'],
    [['--name', 'My Preview'], '--name is not a valid name'],
    [['--port', '0'], '--port 0 is not a whole number from 1 to 65535'],
    [['a.tar'], 'no trusted key is given'],
  ])('rejects %j', async (args, message) => {
    const running = runCommand(previewCommand, terminalIn('/'), ...args);
    await expect(running).rejects.toMatchObject({ code: 'USAGE', message });
  });

  it('rejects --down with options of a start', async () => {
    const running = runCommand(previewCommand, terminalIn('/'), '--down', '--port', '1');
    await expect(running).rejects.toThrow('cannot be used with');
  });

  it('needs Docker also for --down, which would otherwise remove the files only', async () => {
    const running = runCommand(previewCommand, terminalIn('/', { PATH: '/nowhere' }), '--down');
    await expect(running).rejects.toMatchObject({ code: 'TOOL_MISSING' });
  });
});
