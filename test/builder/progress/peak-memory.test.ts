import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expect, it } from 'vitest';

const file = fileURLToPath(new URL('../../../builder/progress/peak-memory.ts', import.meta.url));

/** The figures that a fresh program gives of itself, before and after it takes 64 MB. */
async function ofProgram(): Promise<{ before: number; after: number }> {
  const script = `
    import(${JSON.stringify(file)}).then(({ peakMemory }) => {
      const before = peakMemory();
      Buffer.alloc(64e6, 1);
      console.log(JSON.stringify({ before, after: peakMemory() }));
    });`;
  return JSON.parse((await execa(process.execPath, ['--eval', script])).stdout);
}

it('is what the program takes', async () => {
  const { before, after } = await ofProgram();
  expect(after - before).toBeGreaterThan(60e6);
});

// A runner of 400 MB that started a build made it one of 400 MB.
it('is not that of whoever started the program', async () => {
  const taken = Buffer.alloc(256e6, 1);
  expect((await ofProgram()).before).toBeLessThan(200e6);
  expect(taken).toHaveLength(256e6);
});
