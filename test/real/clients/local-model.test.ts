import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256Hex } from '#contract/trust/digest.ts';
import { needs } from '../../integration/needs.ts';
import { putModel } from '../../stand-ins/engine/models/put-tiny-model.ts';
import { type RealOllama, startOllama } from '../model/real-ollama.ts';
import { type RelayProgram, runRelayProgram } from '../sdk/relay-program.ts';
import { agentModel } from './agent-model.ts';
import { provideClient } from './packages.ts';
import { newWord, oldWord, programs } from './programs.ts';
import { models } from './provider/scripted-provider.ts';
import { localContext, runClient } from './run-client.ts';

const real = needs('engine', 'ollama', 'llamaSource');
const key = 'relay-key-any';
const farewell = 'The flower was replaced as requested.';

real.describe('a coding agent with a local model', () => {
  let folder: string;
  let ollama: RealOllama;
  let relay: RelayProgram;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'landfall-ollama-'));
    ollama = await startOllama(real.engine, real.ollama, folder, localContext);
    relay = await runRelayProgram({
      listen: { host: '127.0.0.1', port: 0 },
      local: { base_url: ollama.origin, context: localContext },
      keys: [{ name: 'any', sha256: sha256Hex(key) }],
    });
  });
  afterAll(async () => {
    await relay?.close();
    await ollama?.remove();
    await rm(folder, { recursive: true });
  });

  describe.each(programs.filter(({ isLocal }) => isLocal))('$client', (program) => {
    beforeAll(async () => void (await provideClient(program.client)));

    it('edits a file by calls that a real Ollama reads from the words of the model', async () => {
      const { output, file } = await runClient(program, {
        ...{ origin: relay.url, key, prompt: `Replace ${oldWord} by ${newWord} in notes.txt` },
        before: async (path) => {
          const replies = [...program.edit(path), { text: farewell }];
          await putModel(folder, models.local, await agentModel(real.llamaSource, replies));
        },
      });
      expect({ file, output }).toMatchObject({ file: `${newWord}\n` });
      expect(output).toContain(farewell);
      // Claude Code warns if it does not know the context of a model.
      expect(output).not.toContain('assumes a context window');
    });
  });
});
