import { z } from 'zod';
import { logCommand } from '#contract/component-names.ts';
import { inLanguage } from '#contract/text/language.ts';
import { endpointOf } from '../endpoint.ts';
import { expectStatus, jsonOf } from '../exchange.ts';
import { insideOnly, testsOf } from '../smoke-test.ts';
import { callUi as ask, openSession } from '../ui-session.ts';
import { firstMessage } from '../web-socket.ts';

/** Open WebUI's API: the fields that the project relies on. */
const healthSchema = z.object({ status: z.literal(true) });

const outdated = {
  en: 'its password was changed in the chat UI, so the one in `landfall credentials` is outdated',
  zh: '密码已在聊天界面中更改，`landfall credentials` 中的已过时',
};

export const uiTests = testsOf('ui', [
  {
    name: 'ui-health',
    title: 'the chat UI is healthy',
    chinese: '聊天界面健康',
    run: async (target) => void healthSchema.parse(jsonOf(await ask(target, '/health'))),
  },
  {
    name: 'ui-web-socket',
    title: 'the chat UI accepts a WebSocket',
    chinese: '聊天界面接受 WebSocket',
    lookAt: logCommand('gateway'),
    run: async (target) => {
      const path = '/ws/socket.io/?EIO=4&transport=websocket';
      const message = await firstMessage(endpointOf(target, 'ui'), path);
      // The first packet of Engine.IO 4 has type 0 and JSON parameters.
      if (!message.startsWith('0{'))
        throw new Error(
          inLanguage({
            en: 'the first message is not an open packet',
            zh: '第一条消息不是 open 数据包',
          }),
        );
    },
  },
  {
    name: 'ui-sign-in',
    title: 'the administrator can sign in',
    chinese: '管理员能登录',
    lookAt: {
      en: `sudo landfall credentials, and ${logCommand('ui')}`,
      zh: `sudo landfall credentials；${logCommand('ui')}`,
    },
    notFor: insideOnly,
    run: async (target, note) => {
      if ((await openSession(target)).isOutdated) note(inLanguage(outdated));
    },
  },
  {
    name: 'ui-sign-up-closed',
    title: 'sign-up is disabled',
    chinese: '已关闭注册',
    isUnsafe: true,
    run: async (target) => {
      const body = { name: 'x', email: 'stranger@landfall.invalid', password: 'stranger-1A!' };
      expectStatus(await ask(target, '/api/v1/auths/signup', { body }), 400, 403);
    },
  },
]);
