import OpenAI, { AuthenticationError } from 'openai';
import { Agent, fetch } from 'undici';
import { beforeAll, expect, it } from 'vitest';
import { names, type WholeStack } from './whole-stack.ts';

const question = {
  model: 'stand-in-1',
  messages: [{ role: 'user' as const, content: 'Hi' }],
};

/** Tests the relay to a hosted provider with OpenAI's own client, over TLS, from outside. */
export function itRelaysChats(stack: () => WholeStack): void {
  let clientWith: (key: string) => OpenAI;
  let relayKey: string;

  beforeAll(async () => {
    const { pebble, premises, secrets } = await present(stack());
    const address = premises.host.addresses.v4;
    const dispatcher = new Agent({
      connect: {
        ca: await pebble.root(),
        lookup: (_name, { all }, done) =>
          all ? done(null, [{ address, family: 4 }]) : done(null, address, 4),
      },
    });
    relayKey = secrets.RELAY_KEY_OWNER ?? '';
    clientWith = (apiKey) =>
      new OpenAI({
        apiKey,
        baseURL: `https://${names.relay}/openai/v1`,
        maxRetries: 0,
        // The types of fetch in undici and in the platform differ only in name.
        fetch: fetch as unknown as typeof globalThis.fetch,
        fetchOptions: { dispatcher } as object,
      });
  });

  it('returns a whole response', async () => {
    const { choices } = await clientWith(relayKey).chat.completions.create(question);
    expect(choices[0]?.message.content).toBe('Hello from the provider');
  });

  it('streams a response word by word', async () => {
    const stream = await clientWith(relayKey).chat.completions.create({
      ...question,
      stream: true,
    });
    const words: string[] = [];
    for await (const { choices } of stream) words.push(choices[0]?.delta.content ?? '');
    expect(words.join('')).toBe('Hello from the provider');
    expect(words.filter(Boolean).length).toBeGreaterThan(1);
  });

  it("sends the provider its own key, and never the client's key", () => {
    const { provider, providerKey } = stack();
    const chats = provider.received.filter(({ path }) => path.endsWith('/chat/completions'));
    expect(chats.length).toBeGreaterThanOrEqual(2);
    for (const { headers, body } of chats) {
      expect(headers.authorization).toBe(`Bearer ${providerKey}`);
      expect(JSON.stringify(headers) + body).not.toContain(relayKey);
    }
  });

  it.each(['a wrong key', "the provider's own key"])('refuses %s', async (which) => {
    const key = which === 'a wrong key' ? 'wrong' : stack().providerKey;
    await expect(clientWith(key).models.list()).rejects.toThrow(AuthenticationError);
  });
}

async function present(stack: WholeStack) {
  const { pebble, premises } = stack;
  return { pebble, premises, secrets: await stack.secrets() };
}
