import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { inTerminal, keys, runInTerminal, type TerminalOptions } from './terminal.ts';

const options: TerminalOptions = { cwd: tmpdir() };
const shell = (program: string) => runInTerminal(['sh', '-c', program], options);

describe('a command line on a pseudo-terminal', () => {
  it('sees a terminal of the given size', async () => {
    const size = { ...options, columns: 77, rows: 21 };
    const { status, text } = await runInTerminal(['stty', 'size'], size);
    expect({ status, text }).toEqual({ status: 0, text: '21 77\n' });
  });

  it('returns its exit status, or its signal as a shell does', async () => {
    expect((await shell('exit 7')).status).toBe(7);
    const run = inTerminal(['sh', '-c', 'echo ready; exec sleep 600'], options);
    await run.shows('ready');
    run.type(keys.interrupt);
    expect((await run.end()).status).toBe(130);
  });

  it('reports a hidden cursor at the end', async () => {
    await expect(shell("printf '\\033[?25l'")).rejects.toThrow('the cursor');
    await shell("printf '\\033[?25l\\033[?25h'");
  });

  it('reports a terminal in raw mode at the end', async () => {
    await expect(shell('stty -icanon -echo')).rejects.toThrow('icanon');
  });

  it('reports and kills a remaining process, in another session too', async () => {
    // The environment of a process is empty during exec.
    const begun = 'grep -aq ^sleep /proc/$!/cmdline && grep -aq MARK /proc/$!/environ';
    const program = `setsid sleep 601 & until ${begun}; do :; done`;
    const stays = runInTerminal(['sh', '-c', program], { ...options, grace: 100 });
    await expect(stays).rejects.toMatchObject({ actual: 'sleep 601' });
  });

  it('reports and kills a command that hangs', async () => {
    const program = 'echo waiting; exec sleep 602';
    const hangs = runInTerminal(['sh', '-c', program], { ...options, limit: 500 });
    await expect(hangs).rejects.toThrow(/sleep 602.* hangs and shows:\nwaiting/);
  });

  it('reports a text that never appears', async () => {
    const run = inTerminal(['echo', 'something else'], options);
    await expect(run.shows('this')).rejects.toThrow('something else');
  });
});
