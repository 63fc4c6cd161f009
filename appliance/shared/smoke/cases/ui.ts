import { z } from 'zod';
import { endpointOf, whyNoEndpoint } from '../endpoint.ts';
import { expectStatus, jsonOf } from '../exchange.ts';
import { insideOnly, type SmokeTest } from '../smoke-test.ts';
import type { SmokeTarget } from '../target.ts';
import { callUi as ask, signIn } from '../ui-session.ts';
import { firstMessage } from '../web-socket.ts';

/** Open WebUI's API: the fields that the project relies on. */
const healthSchema = z.object({ status: z.literal(true) });

const lookAt = 'sudo docker logs --tail 50 landfall-ui';

const notFor = (target: SmokeTarget) => whyNoEndpoint(target, 'ui');

export const uiTests: readonly SmokeTest[] = [
  {
    name: 'ui-health',
    title: 'the chat UI is healthy',
    chinese: '聊天界面健康',
    lookAt,
    notFor,
    run: async (target) => void healthSchema.parse(jsonOf(await ask(target, '/health'))),
  },
  {
    name: 'ui-web-socket',
    title: 'the chat UI accepts a WebSocket',
    chinese: '聊天界面接受 WebSocket',
    lookAt: 'sudo docker logs --tail 50 landfall-gateway',
    notFor,
    run: async (target) => {
      const path = '/ws/socket.io/?EIO=4&transport=websocket';
      const message = await firstMessage(endpointOf(target, 'ui'), path);
      // The first packet of Engine.IO 4 has type 0 and JSON parameters.
      if (!message.startsWith('0{')) throw new Error('the first message is not an open packet');
    },
  },
  {
    name: 'ui-sign-in',
    title: 'the administrator can sign in',
    chinese: '管理员能登录',
    lookAt: 'sudo landfall credentials, and sudo docker logs --tail 50 landfall-ui',
    notFor: insideOnly,
    run: async (target) => void (await signIn(target)),
  },
  {
    name: 'ui-sign-up-closed',
    title: 'sign-up is disabled',
    chinese: '已关闭注册',
    lookAt: `${lookAt}; until this is fixed, stop the UI: sudo docker stop landfall-ui`,
    notFor,
    run: async (target) => {
      const body = { name: 'x', email: 'stranger@landfall.invalid', password: 'stranger-1A!' };
      const call = { method: 'POST', body } as const;
      expectStatus(await ask(target, '/api/v1/auths/signup', call), 400, 403);
    },
  },
];
