import type { EngineSettings } from './settings.ts';

/** `ollama pull [--insecure] MODEL`: prints progress until done. There is no `--mirror`. */
export async function pullModel(
  settings: EngineSettings,
  args: readonly string[],
): Promise<number> {
  const unknown = args.find((arg) => arg.startsWith('-') && arg !== '--insecure');
  const model = args.find((arg) => !arg.startsWith('-'));
  if (unknown || !model) {
    console.error(unknown ? `Error: unknown flag: ${unknown}` : 'Error: accepts 1 arg(s)');
    return 1;
  }
  const body = JSON.stringify({ model, insecure: args.includes('--insecure') });
  const response = await ask(settings, '/api/pull', { method: 'POST', body });
  if (!response?.body) return unreachable();
  return await printProgress(response.body);
}

async function printProgress(body: AsyncIterable<Uint8Array>): Promise<number> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const { status, error, total, completed } = JSON.parse(part);
      if (error) {
        console.error(`Error: ${error}`);
        return 1;
      }
      console.error(total ? `${status}: ${Math.floor(((completed ?? 0) / total) * 100)}%` : status);
    }
  }
  return 0;
}

/** Connects to the listen address of the server, as the original does. */
async function ask(
  { host, port }: EngineSettings,
  path: string,
  init: RequestInit = {},
): Promise<Response | undefined> {
  const target = host === '::' ? '[::1]' : host;
  return await fetch(`http://${target}:${port}${path}`, init).catch(() => undefined);
}

function unreachable(): number {
  console.error('Error: could not connect to ollama app, is it running?');
  return 1;
}
