import { once } from 'node:events';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const launcher = fileURLToPath(new URL('../../../builder/bin/run.mjs', import.meta.url));

/** Prints its arguments. With `wait`, it ends on Ctrl-C with 7, after a moment. */
const program = `
const args: string[] = process.argv.slice(2);
process.on('SIGINT', () => setTimeout(() => process.exit(7), 100));
if (args[0] === 'wait') setTimeout(() => {}, 60_000);
else process.exitCode = 5;
console.log(process.execPath, ...args);
`;

let folder: string;
let task: string;
/** A Node that is not the pinned one, as before the installation. */
let otherNode: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-run-'));
  task = join(folder, 'task.ts');
  otherNode = join(folder, 'node');
  await writeFile(task, program);
  await copyFile(process.execPath, otherNode);
});
afterAll(async () => await rm(folder, { recursive: true }));

/** Starts the task in a process group of its own, and sends it a signal once it runs. */
async function interrupted(node: string, signal: NodeJS.Signals, target: 'group' | 'launcher') {
  const running = execa(node, [launcher, task, 'wait'], { detached: true, reject: false });
  await once(running.stdout, 'data');
  process.kill(target === 'group' ? -(running.pid ?? 0) : (running.pid ?? 0), signal);
  return await running;
}

describe('the launcher of the package scripts', () => {
  it.each(['pinned', 'other'])('runs a task on the pinned Node from the %s one', async (kind) => {
    const node = kind === 'pinned' ? process.execPath : otherNode;
    const { stdout, exitCode } = await execa(node, [launcher, task, 'a', 'b c'], { reject: false });
    expect(stdout).toBe(`${process.execPath} a b c`);
    expect(exitCode).toBe(5);
  });

  it.each(['pinned', 'other'])(
    'waits on Ctrl-C until the task has ended: %s Node',
    async (kind) => {
      const node = kind === 'pinned' ? process.execPath : otherNode;
      const { exitCode, signal } = await interrupted(node, 'SIGINT', 'group');
      expect({ exitCode, signal }).toEqual({ exitCode: 7, signal: undefined });
    },
  );

  it('passes SIGTERM on and ends by it', async () => {
    const { signal } = await interrupted(otherNode, 'SIGTERM', 'launcher');
    expect(signal).toBe('SIGTERM');
  });
});
