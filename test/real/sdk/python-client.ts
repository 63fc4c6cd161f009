import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { providePythonPackage } from '../../setup/real/python-package.ts';
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
  const env = { PYTHONPATH: await providePythonPackage('openai', version) };
  const { stdout } = await execa('python3', [program], { input, env });
  return stdout.split('\n').map((line) => JSON.parse(line) as Outcome);
}
