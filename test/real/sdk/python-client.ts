import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { cached } from '../../setup/cached.ts';
import { cacheFolder } from '../../setup/workspace.ts';
import { model } from './full-provider.ts';
import { relayKeys } from './relay-program.ts';

const version = '3.57.0';
const program = fileURLToPath(new URL('calls.py', import.meta.url));

/** The outcome of a call in `calls.py`: a result, or an error of the client. */
export interface Outcome {
  readonly kind: 'endpoint' | 'stream' | 'refused';
  readonly name: string;
  readonly result?: unknown;
  /** Class of the error. */
  readonly type?: string;
  readonly status?: number;
  readonly code?: string | null;
  readonly request_id?: string;
}

/** Makes every call of `calls.py`, with the client from PyPI. */
export async function callWithPython(url: string): Promise<Outcome[]> {
  const input = JSON.stringify({ url, model, keys: relayKeys });
  const { stdout } = await execa(await provideClient(), [program], { input });
  return stdout.split('\n').map((line) => JSON.parse(line) as Outcome);
}

/** Returns a Python with the client; downloads 15 MB the first time. */
async function provideClient(): Promise<string> {
  await mkdir(cacheFolder(), { recursive: true, mode: 0o700 });
  const folder = await cached(cacheFolder(), 'openai-python', { version }, async (target) => {
    await execa('python3', ['-m', 'venv', target]);
    // Without the scripts of the environment, which contain the name of the folder.
    const pip = ['-m', 'pip', 'install', '--quiet', '--retries=10', '--only-binary=:all:'];
    await execa(join(target, 'bin/python'), [...pip, `openai==${version}`]);
  });
  return join(folder, 'bin/python');
}
