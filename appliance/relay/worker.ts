import { LandfallError } from '#contract/errors.ts';
import { hasStoredBudget, readConfig } from './config.ts';
import type { RelayEnv } from './env.ts';
import { bodyOf, requestOf, responseOf, streamOf } from './fetch.ts';
import { openai } from './formats/openai.ts';
import { handle } from './handle.ts';
import { openRelay } from './open-relay.ts';
import { refusalResponse } from './refusal.ts';

/** Variables and secrets of a worker: RELAY_CONFIG, as an object or JSON text, and provider keys. */
type Bindings = Readonly<Record<string, unknown>>;

/** One relay per set of bindings, so that key usage is counted across requests. */
const relays = new WeakMap<Bindings, RelayEnv>();

/**
 * The relay as a module worker on an edge platform. docs/delivery/relay-worker.md describes its deployment. It
 * has no route, because it connects to providers directly.
 */
export default {
  async fetch(request: Request, bindings: Bindings): Promise<Response> {
    try {
      const relay = relays.get(bindings) ?? open(bindings);
      relays.set(bindings, relay);
      return responseOf(await handle(requestOf(request), relay));
    } catch (error) {
      console.error(error instanceof Error ? error.message : 'unknown');
      return responseOf(refusalResponse({ refused: 'relay_failed' }, openai));
    }
  },
};

function open(bindings: Bindings): RelayEnv {
  const read = (name: string) => {
    const value = bindings[name];
    return typeof value === 'string' ? value : undefined;
  };
  const { RELAY_CONFIG: given = {} } = bindings;
  const config = typeof given === 'string' ? given : JSON.stringify(given);
  const settings = readConfig(config, 'RELAY_CONFIG');
  if (settings.keys.some(hasStoredBudget)) {
    throw new LandfallError(
      'CONFIG_INVALID',
      'RELAY_CONFIG has a key with a budget, but an edge worker has no disk to count it',
      { hint: 'Remove budget and budget_per_person; use limits and expires instead.' },
    );
  }
  if (settings.local) {
    throw new LandfallError('CONFIG_INVALID', 'RELAY_CONFIG has local: a worker has no Ollama', {
      hint: 'Remove local, or add a public Ollama with HTTPS to providers.',
    });
  }
  return openRelay(settings, {
    // Edge platforms have no files.
    keyOf: (source) => ('variable' in source ? read(source.variable) : undefined),
    send: async (url, { method, headers, body, signal }) => {
      const sent = body instanceof Uint8Array ? new Uint8Array(body) : body && streamOf(body);
      const options = { method, headers, body: sent, signal };
      const answer = await fetch(url, { ...options, redirect: 'manual', duplex: 'half' });
      return { status: answer.status, headers: answer.headers, body: bodyOf(answer) };
    },
    log: (access) => console.log(JSON.stringify(access)),
  });
}
