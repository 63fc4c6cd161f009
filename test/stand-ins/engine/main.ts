import type { AddressInfo } from 'node:net';
import { serve } from '../serve.ts';
import { engineApi, version } from './api.ts';
import { pullModel } from './client.ts';
import { readSettings } from './settings.ts';

/** `ollama serve`, `ollama pull [--insecure] MODEL`, `ollama --version`; `ollama.sh` has `ollama ls`. */
const [command = 'serve', ...args] = process.argv.slice(2);
const settings = readSettings(process.env);

if (command === 'serve') {
  const handler = await engineApi(settings, process.env.LANDFALL_MODEL_REGISTRY || undefined);
  const server = await serve(handler, settings.host, settings.port);
  const { port } = server.address() as AddressInfo;
  console.error(`Listening on ${settings.host}:${port} (version ${version})`);
  console.error(`Ollama cloud disabled: ${settings.noCloud}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      server.close();
      process.exit(0);
    });
  }
} else if (command === 'pull') {
  process.exitCode = await pullModel(settings, args);
} else if (command === '--version' || command === '-v') {
  console.log(`ollama version is ${version}`);
} else {
  console.error(`Error: unknown command "${command}" for "ollama"`);
  process.exitCode = 1;
}
