import { afterAll, beforeAll, expect, it } from 'vitest';
import { sha256Hex } from '#contract/trust/digest.ts';
import { relayConfigSchema } from '../../../../appliance/relay/config.ts';
import { type RunningRelay, serve } from '../../../../appliance/relay/node/serve.ts';
import { relayTests } from '../../../../appliance/shared/smoke/cases/relay.ts';
import { tryProviderKey } from '../../../../appliance/shared/smoke/cases/relay-requests.ts';
import {
  closeStands,
  type Stands,
  settingsFor,
  standKeys,
  startStands,
} from '../../relay/strict/premises.ts';
import { insideTarget } from './inside-target.ts';
import { outcomes, resultOf } from './outcomes.ts';

const ownerKey = 'owner-relay-key';
let stands: Stands;
let relay: RunningRelay;
beforeAll(async () => {
  stands = await startStands();
  const config = relayConfigSchema.parse({
    ...settingsFor(stands),
    listen: { host: '127.0.0.1', port: 0 },
    keys: [{ name: 'owner', sha256: sha256Hex(ownerKey) }],
  });
  const keyOf = (source: object) =>
    'variable' in source ? standKeys[`${source.variable}`] : undefined;
  relay = await serve({ config, ca: undefined, keyOf }, () => {});
});
afterAll(async () => {
  await relay.stop(0);
  await closeStands(stands);
});

function targetOf(names: ReadonlyArray<'openai' | 'anthropic' | 'gemini'>) {
  const { providers } = settingsFor(stands);
  const chosen = Object.fromEntries(names.map((name) => [name, providers[name]]));
  const ports = { relay: Number(new URL(relay.url).port) };
  const site = { providers: chosen, relay: { local: true }, ports };
  return insideTarget(site, { secrets: { RELAY_KEY_OWNER: ownerKey, ...standKeys } });
}

it('tests the models of every format, and chats with OpenAI only', async () => {
  expect(await outcomes(targetOf(['anthropic', 'gemini', 'openai']), relayTests)).toEqual({
    'relay-wrong-key': 'passed',
    'relay-models': 'passed',
    'relay-local': 'passed',
    'relay-chat': 'passed',
  });
  expect(await resultOf('relay-chat', targetOf(['anthropic']), relayTests)).toMatchObject({
    outcome: 'skipped',
    detail: "no provider with a key has OpenAI's API",
  });
});

it('names a rejected key in every format', async () => {
  for (const [name, stand] of Object.entries(stands)) {
    if (name === 'local' || name === 'openai') continue;
    stand.answerNext((response) => void response.writeHead(401).end('{}'));
    expect(await tryProviderKey(targetOf(['anthropic', 'gemini']), name)).toBe('refused');
    expect(await tryProviderKey(targetOf(['anthropic', 'gemini']), name)).toBe('accepted');
  }
});
