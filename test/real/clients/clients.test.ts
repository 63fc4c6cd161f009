import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256Hex } from '#contract/trust/digest.ts';
import { type RelayProgram, runRelayProgram } from '../sdk/relay-program.ts';
import { provideClient } from './packages.ts';
import { newWord, oldWord, programs } from './programs.ts';
import { type ScriptedProvider, startScriptedProvider } from './provider/scripted-provider.ts';
import { check, type Reply, type Turn } from './provider/turn.ts';
import { runClient } from './run-client.ts';

const keys = { any: 'relay-key-any', spent: 'relay-key-spent' } as const;
const greeting = 'Good morning from the provider of the test.';
const farewell = 'The flower was replaced as requested.';
const question = 'say good morning';
const task = `Replace ${oldWord} by ${newWord} in notes.txt`;

let provider: ScriptedProvider;
let relay: RelayProgram;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-usage-'));
  provider = await startScriptedProvider();
  const base = (path: string) => ({ base_url: `${provider.origin}${path}`, key_file: 'key' });
  const key = (name: keyof typeof keys, more = {}) => ({
    name,
    sha256: sha256Hex(keys[name]),
    ...more,
  });
  relay = await runRelayProgram({
    listen: { host: '127.0.0.1', port: 0 },
    providers: {
      openai: base('/openai/v1'),
      anthropic: { ...base('/anthropic/v1'), api: 'anthropic' },
      gemini: { ...base('/gemini/v1beta'), api: 'gemini' },
    },
    local: { base_url: provider.origin },
    keys: [key('any'), key('spent', { budget: { requests_per_day: 1 } })],
    usage_folder: folder,
  });
  await spend();
});
afterAll(async () => {
  await relay.close();
  await provider.close();
  await rm(folder, { recursive: true });
});

/** Uses the only request of the key. */
async function spend(): Promise<void> {
  provider.follow(() => ({ text: greeting }));
  const answer = await fetch(`${relay.url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.spent}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-5-mini', input: 'Hi' }),
  });
  expect(answer.status).toBe(200);
}

/** Gives the replies one after the other to the task, and a greeting to everything else. */
function script(replies: readonly Reply[]): (turn: Turn) => Reply {
  let next = 0;
  return ({ prompt, tools }) => {
    const reply = replies[next];
    const needsTool = reply !== undefined && 'tool' in reply;
    // A request for a title has no tools.
    if (!prompt.includes(task) || (needsTool && tools.length === 0)) return { text: greeting };
    if (needsTool) check(tools.includes(reply.tool), `no tool ${reply.tool} in ${tools}`);
    next += 1;
    return reply ?? { text: farewell };
  };
}

/** Returns what the relay logged of POST requests since a call. */
function watchRelay(): () => Array<{ status: number }> {
  const seen = relay.output().split('\n').length;
  return () =>
    relay
      .output()
      .split('\n')
      .slice(seen)
      .map((line) => JSON.parse(line))
      .filter(({ method }) => method === 'POST');
}

describe.each(
  programs.map((program) => ({ ...program, of: program.isLocal ? 'local' : 'hosted' })),
)('$client with the API $api and a $of model', (program) => {
  const { client, prompts = 1, wrongKey = prompts, whole, edit } = program;
  beforeAll(async () => void (await provideClient(client)));
  const run = (prompt: string, more = {}) =>
    runClient(program, { origin: relay.url, key: keys.any, prompt, ...more });
  const greet = () => provider.follow(() => ({ text: greeting }));

  it('shows an answer that arrives as a stream', async () => {
    greet();
    const { output } = await run(question);
    expect(output).toContain(greeting);
    expect(provider.rejected).toEqual([]);
    expect(provider.turns.map(({ stream }) => stream)).toContain(true);
  });

  it(
    whole ? 'shows an answer that arrives whole' : 'only streams, without a setting for it',
    async () => {
      if (whole) {
        greet();
        expect((await run(question, { command: whole })).output).toContain(greeting);
      }
      // Otherwise those of the test before.
      expect(provider.turns.every(({ stream }) => stream)).toBe(whole === undefined);
      expect(provider.turns).not.toEqual([]);
    },
  );

  it('edits a file as the model says, and sends the results of its calls', async () => {
    let replies: readonly Reply[] = [];
    const { output, file } = await run(task, {
      command: program.withTools,
      before: (path: string) => {
        replies = edit(path);
        provider.follow(script(replies));
      },
    });
    expect(provider.rejected).toEqual([]);
    expect({ file, output }).toMatchObject({ file: `${newWord}\n` });
    const calls = replies.filter((reply) => 'tool' in reply);
    const last = provider.turns.reduce((most, { results }) => Math.max(most, results.length), 0);
    expect(last).toBe(calls.length);
    if (calls.length > 0) expect(output).toContain(farewell);
  });

  it('shows that a budget is used up, without sending the request again', async () => {
    const requests = watchRelay();
    greet();
    const { output } = await run(question, { key: keys.spent });
    expect(output).toContain('budget of the relay key spent exceeded');
    expect(requests()).toHaveLength(prompts);
    expect(provider.turns).toEqual([]);
  });

  it('shows that a key is wrong, with a bounded number of requests', async () => {
    const requests = watchRelay();
    greet();
    const { output } = await run(question, { key: 'relay-key-wrong' });
    expect(output).toMatch(/relay key/);
    expect(requests().length).toBeLessThanOrEqual(wrongKey);
    expect(provider.turns).toEqual([]);
  });
});
