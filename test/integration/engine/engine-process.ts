import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../stand-ins/engine/main.ts', import.meta.url));

/** The stand-in for Ollama as a separate process: llama.cpp writes to its standard error. */
export interface EngineProcess {
  readonly port: number;
  readonly url: string;
  /** Stops it and waits for its end. */
  stop(): Promise<void>;
}

/**
 * Starts the stand-in on a free port of loopback.
 * @param env `OLLAMA_MODELS`, `LANDFALL_LLAMA` and other variables of `settings.ts`
 * @throws Error with its last output if it ends before it listens
 */
export async function startEngineProcess(env: NodeJS.ProcessEnv): Promise<EngineProcess> {
  const child = spawn(process.execPath, [program, 'serve'], {
    env: { ...process.env, ...env, OLLAMA_HOST: '127.0.0.1:0' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    said.push(line);
    const port = /^Listening on 127\.0\.0\.1:(\d+)/.exec(line)?.[1];
    if (!port) continue;
    child.stderr.resume();
    const stop = async () => {
      child.kill();
      await ended;
    };
    return { port: Number(port), url: `http://127.0.0.1:${port}`, stop };
  }
  throw new Error(`the stand-in for Ollama does not start: ${said.slice(-5).join('; ')}`);
}
