import { componentNames } from '#contract/component-names.ts';
import type { ComponentName } from '#contract/components.ts';
import type { SmokeTest } from './smoke-test.ts';
import { chatTests } from './tests/chat.ts';
import { docsTests } from './tests/docs.ts';
import { engineTests } from './tests/engine.ts';
import { gatewayTests } from './tests/gateway.ts';
import { lobeTests } from './tests/lobe.ts';
import { modelTests } from './tests/models.ts';
import { pageTest } from './tests/pages.ts';
import { proxyTests } from './tests/proxy.ts';
import { relayTests } from './tests/relay.ts';
import { uiTests } from './tests/ui.ts';
import { uiChatTests } from './tests/ui-chat.ts';
import { uiContentTests } from './tests/ui-contents.ts';

/** The tests of each component, besides that of its page. */
const ownTests: Readonly<Partial<Record<ComponentName, readonly SmokeTest[]>>> = {
  engine: [...engineTests, ...modelTests],
  ui: [...uiTests, ...uiChatTests, ...uiContentTests],
  chat: chatTests,
  lobe: lobeTests,
  relay: relayTests,
  tinyproxy: proxyTests,
  gateway: gatewayTests,
  docs: docsTests,
};

/** All tests, in the order of the components. */
export const smokeTests: readonly SmokeTest[] = componentNames.flatMap((name) => [
  ...pageTest(name),
  ...(ownTests[name] ?? []),
]);
