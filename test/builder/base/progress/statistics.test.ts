import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expect, it } from 'vitest';

const file = fileURLToPath(
  new URL('../../../../builder/base/progress/statistics.ts', import.meta.url),
);

/** The peak memory of a new program, before and after it allocates 64 MB. */
async function ofProgram(): Promise<{ before: number; after: number }> {
  const script = `
    import(${JSON.stringify(file)}).then(({ costOf, newStatistics }) => {
      const peakMemory = () => costOf(newStatistics(), 0).peakMemory;
      const before = peakMemory();
      Buffer.alloc(64e6, 1);
      console.log(JSON.stringify({ before, after: peakMemory() }));
    });`;
  return JSON.parse((await execa(process.execPath, ['--eval', script])).stdout);
}

it('reports the peak memory of the program', async () => {
  const { before, after } = await ofProgram();
  expect(after - before).toBeGreaterThan(60e6);
});

// Without the fix, a runner of 400 MB made every build report 400 MB.
it('does not report the memory of the parent process', async () => {
  const taken = Buffer.alloc(256e6, 1);
  expect((await ofProgram()).before).toBeLessThan(200e6);
  expect(taken).toHaveLength(256e6);
});
