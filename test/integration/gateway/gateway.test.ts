import { afterAll, beforeAll } from 'vitest';
import { everything } from '../../appliance/stages/stack/stack-input.ts';
import { needs } from '../needs.ts';
import { banLog } from './ban-log.ts';
import { bodies } from './bodies.ts';
import { chatRoutes } from './chat-routes.ts';
import { closed } from './closed.ts';
import { documentation } from './documentation.ts';
import { floods } from './floods.ts';
import { GatewayRig } from './gateway-rig.ts';
import { headers } from './headers.ts';
import { longNames } from './long-names.ts';
import { networks } from './networks.ts';
import { progressPage } from './progress-page.ts';
import { signIns } from './sign-ins.ts';
import { uiRoutes } from './ui-routes.ts';
import { unavailable } from './unavailable.ts';
import { uploads } from './uploads.ts';

const real = needs('engine', 'registry', 'composePlugin', 'browser');

/** The real nginx with the files of a site and its limits, under attack. */
real.describe('the gateway that Landfall ships', () => {
  let running: GatewayRig;
  const rig = () => running;

  beforeAll(async () => {
    running = await GatewayRig.start(real, everything);
  });
  afterAll(() => running?.close());

  progressPage(rig, real.browser);
  closed(rig);
  bodies(rig);
  uploads(rig);
  signIns(rig);
  uiRoutes(rig);
  floods(rig);
  banLog(rig);
  networks(rig);
  chatRoutes(rig);
  headers(rig);
  longNames(rig);
  documentation(rig);
  unavailable(rig);
});
