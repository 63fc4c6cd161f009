import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Status } from '../../../appliance/server/progress/status.ts';
import { itSeesClientAddresses } from '../boot/client-address-view.ts';
import { startOnServer } from '../commands/start-on-server.ts';
import { distributions } from '../distributions.ts';
import { hostNeeds } from '../host-needs.ts';
import { itWorksInABrowser } from './browser-view.ts';
import { itHoldsBudgets } from './budget-view.ts';
import { itStaysQuiet } from './idle-view.ts';
import { openPorts } from './port-sweep.ts';
import { itRelaysChats } from './relay-view.ts';
import { itRestarts } from './restart-view.ts';
import { keep } from './results.ts';
import { itKeepsItsSecrets } from './secrets-view.ts';
import { itPassesSmokeTests } from './smoke-view.ts';
import { isDemo, showAndStay } from './stay.ts';
import { names, WholeStack } from './whole-stack.ts';

const [distribution = 'debian13'] = distributions(['debian13']);
const given = hostNeeds(
  distribution,
  'registryStorage',
  'composePlugin',
  'pebble',
  'lego',
  'browser',
);

/** The main scenario of the project on one server. `npm run demo` shows it to users. */
given.describe('the whole stack, from a full bundle without its registry', () => {
  let stack: WholeStack;
  let status: Status;
  const whole = () => stack;

  beforeAll(async () => {
    stack = await WholeStack.open({ ...given, distribution }, isDemo() ? console.log : () => {});
    status = await stack.comeUp();
    await keep('report.txt', `${await stack.premises.host.output('landfall report --timings')}\n`);
  });
  afterAll(() => stack?.close());
  afterAll(() => showAndStay(stack), 0);

  it('needs no registry: its port was closed when the server booted', () => {
    expect(stack.registryAtBoot).toBe('closed');
  });

  it('finishes every stage of its first boot in order', () => {
    for (const { name, state } of status.stages) expect(['applied', 'kept'], name).toContain(state);
  });

  it('runs every long-running component, with its health check', async () => {
    const format = '{{.Name}} {{.State.Health.Status}}';
    const all = await stack.premises.host.output(
      `docker inspect --format '${format}' $(docker ps -aq)`,
    );
    const components = ['chat', 'engine', 'gateway', 'lobe', 'relay', 'tinyproxy', 'ui'];
    expect(all.split('\n').sort()).toEqual(components.map((name) => `/landfall-${name} healthy`));
  });

  it.each(Object.entries(names))(
    'serves %s with a certificate of the authority',
    async (_part, name) => {
      const root = '/tmp/pebble-root.pem';
      await stack.premises.administrator.run(`cat >${root}`, { input: await stack.pebble.root() });
      const page = await stack.premises.administrator.fetch(`https://${name}/`, ['--cacert', root]);
      expect(page.status, page.body).toBeGreaterThan(0);
    },
  );

  describe('in its logs', () => itStaysQuiet(whole));

  describe('in its smoke tests', () => itPassesSmokeTests(whole));

  describe('in its relay', () => itRelaysChats(whole));

  describe('in its gateway', () => itSeesClientAddresses(() => stack.premises, names.ui));

  describe('from another network namespace', () => {
    it.concurrent.each(['v4', 'v6'] as const)(
      'opens only SSH, 80 and 443 to another network on IP%s',
      async (family) => {
        const stranger = await stack.premises.cloud.outsider();
        const open = await openPorts(stranger, stack.premises.host.addresses[family]);
        await keep(`ports-${family}.txt`, `${open.join(' ')}\n`);
        expect(open).toEqual([22, 80, 443]);
      },
    );
  });

  describe('in a browser', () => itWorksInABrowser(whole, () => given.browser));

  describe('in its secrets', () => itKeepsItsSecrets(whole));

  describe('after a component is killed', () => itRestarts(whole));

  describe('with a stolen relay key', () =>
    itHoldsBudgets(whole, (command) =>
      startOnServer(given.dependencies, stack.premises.host, command),
    ));
});
