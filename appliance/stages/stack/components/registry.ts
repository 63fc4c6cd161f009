import type { ComponentName } from '#contract/components.ts';
import type { Origin } from '#contract/site/endpoints.ts';
import type { WritePage } from '../pages/page.ts';
import type { RenderedFile } from '../rendered-file.ts';
import type { StackInput } from '../stack-input.ts';
import { renderAcme } from './acme/configuration.ts';
import { balancerVariables, renderBalancer } from './balancer/configuration.ts';
import { renderChat } from './chat/configuration.ts';
import { chatLocations } from './chat/locations.ts';
import { docsLocations } from './docs/locations.ts';
import { engineVariables, renderEngine } from './engine/configuration.ts';
import { enginePage } from './engine/page.ts';
import { renderLobe } from './lobe/configuration.ts';
import { lobeLocations } from './lobe/locations.ts';
import { renderRelay } from './relay/configuration.ts';
import { relayPage } from './relay/page.ts';
import { renderTinyproxy } from './tinyproxy/configuration.ts';
import { proxyPage } from './tinyproxy/page.ts';
import { renderUi, uiVariables } from './ui/configuration.ts';
import { uiLocations } from './ui/locations.ts';

/** The code of each component. The gateway has its own folder. */
export const componentCode: Readonly<Partial<Record<ComponentName, ComponentCode>>> = {
  engine: { configuration: renderEngine, variables: engineVariables, page: enginePage },
  ui: { configuration: renderUi, variables: uiVariables, locations: uiLocations },
  chat: { configuration: renderChat, locations: chatLocations },
  lobe: { configuration: renderLobe, locations: lobeLocations },
  balancer: { configuration: renderBalancer, variables: balancerVariables },
  relay: { configuration: renderRelay, page: relayPage },
  tinyproxy: { configuration: renderTinyproxy, page: proxyPage },
  acme: { configuration: renderAcme },
  docs: { locations: docsLocations },
};

/** The code of one component on a server. All members are optional. */
interface ComponentCode {
  /** Renders the files that its container reads. Called only when the site enables it. */
  readonly configuration?: (input: StackInput) => RenderedFile[];
  /** Returns its variables of `compose.yaml`, besides port, limits and configuration hash. */
  readonly variables?: (input: StackInput) => Readonly<Record<string, string>>;
  /** Returns its nginx settings and locations at the gateway. */
  readonly locations?: (origin: Origin) => string;
  /** Writes its page of the server's documentation. */
  readonly page?: WritePage;
}
