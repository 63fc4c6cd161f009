import type { ComponentName } from '#contract/components.ts';
import { renderAcme } from './acme/configuration.ts';
import { renderChat } from './chat/configuration.ts';
import { chatLocations } from './chat/locations.ts';
import type { ComponentCode } from './component-code.ts';
import { docsLocations } from './docs/locations.ts';
import { engineVariables, renderEngine } from './engine/configuration.ts';
import { enginePage } from './engine/page.ts';
import { renderLobe } from './lobe/configuration.ts';
import { lobeLocations } from './lobe/locations.ts';
import { renderRelay } from './relay/configuration.ts';
import { relayPage } from './relay/page.ts';
import { renderTinyproxy } from './tinyproxy/configuration.ts';
import { proxyPage } from './tinyproxy/page.ts';
import { renderUi } from './ui/configuration.ts';
import { uiLocations } from './ui/locations.ts';
import { uiVariables } from './ui/variables.ts';

/** The code of each component. The gateway has its own folder. */
export const componentCode: Readonly<Partial<Record<ComponentName, ComponentCode>>> = {
  engine: { configuration: renderEngine, variables: engineVariables, page: enginePage },
  ui: { configuration: renderUi, variables: uiVariables, locations: uiLocations },
  chat: { configuration: renderChat, locations: chatLocations },
  lobe: { configuration: renderLobe, locations: lobeLocations },
  relay: { configuration: renderRelay, page: relayPage },
  tinyproxy: { configuration: renderTinyproxy, page: proxyPage },
  acme: { configuration: renderAcme },
  docs: { locations: docsLocations },
};
