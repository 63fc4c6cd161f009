import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { agentsCheck } from '../../../../../appliance/operations/doctor/checks/agents.ts';
import { afterThisTest } from '../../../../setup/cleanup.ts';
import { TemporaryHost } from '../../../temporary-host.ts';
import { look } from '../look.ts';

const chat = { name: 'qwen3:4b-instruct', role: 'chat', size: 2.5e9, manifest: null } as const;
const anthropic = { base_url: 'https://api.anthropic.com/v1', api: 'anthropic' };

/** Runs an Ollama whose model has these capabilities. @returns its port */
async function engineWith(capabilities: readonly string[]): Promise<number> {
  const server = createServer((_request, response) =>
    response.end(JSON.stringify({ capabilities })),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterThisTest(() => void server.close());
  return (server.address() as AddressInfo).port;
}

interface Settings {
  readonly keys: readonly unknown[];
  readonly capabilities?: readonly string[];
  readonly site?: object;
}

async function found({ keys, capabilities = ['completion', 'tools'], site }: Settings) {
  const engine = await engineWith(capabilities);
  return await look(agentsCheck, TemporaryHost.with({}), {
    server: { memory: 34e9 },
    release: { models: [chat] },
    site: { relay: { local: true, keys }, ports: { engine }, context: 65_536, ...site },
  });
}

describe('the check of coding agents', () => {
  it('finds nothing if the local model calls tools and has a long context', async () => {
    expect(await found({ keys: ['claude-code', 'phone'] })).toEqual([]);
  });

  it('reports a local model that calls no tools, for each agent with a key of its name', async () => {
    const keys = ['claude-code', { name: 'codex' }, 'phone', 'llm'];
    const text = 'the model qwen3:4b-instruct cannot call tools';
    expect(await found({ keys, capabilities: ['completion'] })).toEqual([
      [...['AGENT_MODEL_UNFIT', 'claude-code'], expect.stringContaining(text)],
      [...['AGENT_MODEL_UNFIT', 'codex'], expect.stringContaining(text)],
    ]);
  });

  it('reports a context that is shorter than the first messages of an agent', async () => {
    const text =
      'relay key codex: the context of local models is 32767 tokens, and the first message of an agent has 10,000 to 30,000';
    expect(await found({ keys: ['codex'], site: { context: 32_767 } })).toEqual([
      ['AGENT_MODEL_UNFIT', 'codex', text],
    ]);
    expect(await found({ keys: ['codex'], site: { context: 32_768 } })).toEqual([]);
  });

  it('finds nothing for an agent that uses a hosted model, or whose key may use no local one', async () => {
    const short = { context: 8_192, providers: { anthropic } };
    const hosted = { name: 'codex', providers: ['anthropic'] };
    expect(await found({ keys: ['claude-code', 'gemini-cli', hosted], site: short })).toEqual([]);
  });

  it('finds nothing without a relay or local models in it', async () => {
    const relay = { local: false, keys: ['codex'] };
    expect(await found({ keys: [], site: { context: 8_192, relay } })).toEqual([]);
  });
});
