import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';

const module = fileURLToPath(
  new URL('../../../appliance/commands/read-hidden.ts', import.meta.url),
);
const program = `import { readHidden } from ${JSON.stringify(module)};
const value = await readHidden('Value: ');
process.stdout.write(JSON.stringify({ length: value.length, end: value.at(-1) }));`;

/** Runs readHidden in a separate process with this standard input. */
async function read(input: string) {
  const { stdout, stderr, exitCode } = await execa(
    process.execPath,
    ['--input-type=module', '--eval', program],
    { input, reject: false },
  );
  return { stdout, stderr, exitCode };
}

/** Runs it on a pseudo-terminal from Python with simulated typing. Returns the terminal output. */
async function typed(keys: string): Promise<string> {
  const python = `import os, pty, sys
pid, fd = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], [sys.argv[1], '--input-type=module', '--eval', sys.argv[2]])
shown = b''
while b'Value: ' not in shown:
    shown += os.read(fd, 1024)
os.write(fd, sys.argv[3].encode())
try:
    while True:
        part = os.read(fd, 1024)
        if not part: break
        shown += part
except OSError:
    pass
os.waitpid(pid, 0)
sys.stdout.write(shown.decode())`;
  const { stdout } = await execa('python3', ['-c', python, process.execPath, program, keys]);
  return stdout;
}

describe('readHidden', () => {
  it.each(['sk-1234\n', 'sk-1234\r\n', 'sk-1234', ' sk-1234 \n', '\tsk-1234\u00a0'])(
    'reads a secret from a pipe: %j',
    async (input) => {
      expect(JSON.parse((await read(input)).stdout)).toEqual({ length: 7, end: '4' });
    },
  );

  it('limits the size', async () => {
    const { exitCode, stderr } = await read('x'.repeat(100_000));
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain('the value is larger than 8192 bytes');
  });

  it('does not echo the typed secret', async () => {
    const shown = await typed('sk-secret\r');
    expect(shown).toContain('{"length":9,"end":"t"}');
    expect(shown).not.toContain('sk-secret');
  });
});
