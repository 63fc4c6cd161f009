import { componentNames } from '#contract/component-names.ts';
import type { ComponentName } from '#contract/components.ts';
import { currentLanguage, type Language } from '#contract/text/language.ts';
import { chatTests } from './cases/chat.ts';
import { docsTests } from './cases/docs.ts';
import { engineTests } from './cases/engine.ts';
import { engineNodeTests } from './cases/engine-node.ts';
import { gatewayTests } from './cases/gateway.ts';
import { inferenceServerTests } from './cases/inference-servers.ts';
import { lobeTests } from './cases/lobe.ts';
import { modelTests } from './cases/models.ts';
import { pageTest } from './cases/pages.ts';
import { proxyTests } from './cases/proxy.ts';
import { relayTests } from './cases/relay.ts';
import { uiTests } from './cases/ui.ts';
import { uiChatTests } from './cases/ui-chat.ts';
import { uiContentTests } from './cases/ui-contents.ts';
import type { SmokeResult, SmokeTest } from './smoke-test.ts';

/** The tests of each component, besides that of its page. */
const ownTests: Readonly<Partial<Record<ComponentName, readonly SmokeTest[]>>> = {
  engine: [...engineTests, ...modelTests],
  ui: [...uiTests, ...uiChatTests, ...uiContentTests],
  balancer: inferenceServerTests,
  chat: chatTests,
  lobe: lobeTests,
  relay: relayTests,
  tinyproxy: proxyTests,
  gateway: [...gatewayTests, ...engineNodeTests],
  docs: docsTests,
};

/** All tests, in the order of the components. */
export const smokeTests: readonly SmokeTest[] = componentNames.flatMap((name) => [
  ...pageTest(name),
  ...(ownTests[name] ?? []),
]);

/** Returns what a test proves, for users. */
export function titleOf(
  { name, title }: Pick<SmokeResult, 'name' | 'title'>,
  language: Language = currentLanguage(),
): string {
  if (language === 'en') return title;
  return smokeTests.find((test) => test.name === name)?.chinese ?? title;
}
