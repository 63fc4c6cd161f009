import { z } from 'zod';
import { exchange, expectStatus, jsonOf } from '../exchange.ts';
import { insideOf, insideOnly, type SmokeTest } from '../smoke-test.ts';
import { type Target, uiUrl } from '../target.ts';
import { firstMessage } from '../web-socket.ts';

/** Open WebUI's interface, as far as the project relies on it. */
const healthSchema = z.object({ status: z.literal(true) });
const signedInSchema = z.object({ token: z.string().min(1), role: z.literal('admin') });

const lookAt = 'sudo docker logs --tail 50 landfall-ui';

export const uiTests: readonly SmokeTest[] = [
  {
    name: 'ui-page',
    title: 'the chat UI shows its page',
    lookAt,
    run: async (target) => {
      const answer = await get(target, '/');
      expectStatus(answer, 200);
      if (!/<html/i.test(answer.text)) throw new Error('the answer is not a page');
    },
  },
  {
    name: 'ui-health',
    title: 'the chat UI is well',
    lookAt,
    run: async (target) => void healthSchema.parse(jsonOf(await get(target, '/health'))),
  },
  {
    name: 'ui-web-socket',
    title: "the chat UI's WebSocket opens",
    lookAt: 'sudo docker logs --tail 50 landfall-gateway',
    run: async (target) => {
      const url = uiUrl(target, '/ws/socket.io/?EIO=4&transport=websocket').replace(/^http/, 'ws');
      const message = await firstMessage(url, target.gateway);
      // Engine.IO 4 opens with packet type 0 and its terms in JSON.
      if (!message.startsWith('0{')) throw new Error('the first message is not a greeting');
    },
  },
  {
    name: 'ui-sign-in',
    title: 'the administrator can sign in',
    lookAt: 'sudo landfall credentials, and sudo docker logs --tail 50 landfall-ui',
    notFor: insideOnly,
    run: async (target) => {
      const body = insideOf(target).administrator;
      signedInSchema.parse(jsonOf(await post(target, '/api/v1/auths/signin', body)));
    },
  },
  {
    name: 'ui-sign-up-closed',
    title: 'nobody else can sign up',
    lookAt: `${lookAt}; until it is closed, stop the UI: sudo docker stop landfall-ui`,
    run: async (target) => {
      const stranger = { name: 'x', email: 'stranger@landfall.invalid', password: 'stranger-1A!' };
      expectStatus(await post(target, '/api/v1/auths/signup', stranger), 400, 403);
    },
  },
];

async function get(target: Target, path: string) {
  return await exchange(uiUrl(target, path), { address: target.gateway });
}

async function post(target: Target, path: string, body: unknown) {
  return await exchange(uiUrl(target, path), { method: 'POST', address: target.gateway, body });
}
