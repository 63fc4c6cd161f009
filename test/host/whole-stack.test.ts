import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Status } from '../../appliance/progress/status.ts';
import { itKnowsWhoAsks } from './client-address-view.ts';
import { distributions } from './distributions.ts';
import { hostNeeds } from './host-needs.ts';
import { openPorts } from './port-sweep.ts';
import { itIsSeenInABrowser } from './whole-stack/browser-view.ts';
import { itComesBack } from './whole-stack/comes-back-view.ts';
import { itRelaysChats } from './whole-stack/relay-view.ts';
import { keep } from './whole-stack/results.ts';
import { itKeepsItsSecrets } from './whole-stack/secrets-view.ts';
import { itPassesSmokeTests } from './whole-stack/smoke-view.ts';
import { isDemo, showAndStay } from './whole-stack/stay.ts';
import { names, WholeStack } from './whole-stack/whole-stack.ts';

const [distribution = 'debian13'] = distributions(['debian13']);
const given = hostNeeds(distribution, 'registryStorage', 'composePlugin', 'pebble', 'browser');

/** The story that the project promises, on one server. `npm run demo` shows it to people. */
given.describe('the whole stack, from a full bundle whose registry is gone', () => {
  let stack: WholeStack;
  let status: Status;
  const whole = () => stack;

  beforeAll(async () => {
    stack = await WholeStack.open({ ...given, distribution }, isDemo() ? console.log : () => {});
    status = await stack.comeUp();
    await keep('report.txt', `${await stack.premises.host.output('landfall report')}\n`);
  });
  afterAll(() => stack?.close());
  afterAll(() => showAndStay(stack), 0);

  it('needs no registry: nobody listened there when the server was switched on', () => {
    expect(stack.registryAtBoot).toBe('nobody');
  });

  it('ends its first boot with every stage in order', () => {
    for (const { name, state } of status.stages) expect(['applied', 'kept'], name).toContain(state);
  });

  it('runs every component that stays, with its health', async () => {
    const format = '{{.Name}} {{.State.Health.Status}}';
    const all = await stack.premises.host.output(
      `docker inspect --format '${format}' $(docker ps -aq)`,
    );
    const parts = ['chat', 'engine', 'gateway', 'lobe', 'relay', 'tinyproxy', 'ui'];
    expect(all.split('\n').sort()).toEqual(parts.map((name) => `/landfall-${name} healthy`));
  });

  it.each(Object.entries(names))('shows %s a certificate of the authority', async (_part, name) => {
    const root = '/tmp/pebble-root.pem';
    await stack.premises.owner.run(`cat >${root}`, { input: await stack.pebble.root() });
    const page = await stack.premises.owner.fetch(`https://${name}/`, ['--cacert', root]);
    expect(page.status, page.body).toBeGreaterThan(0);
  });

  describe('by its smoke tests', () => itPassesSmokeTests(whole));

  describe('its relay', () => itRelaysChats(whole));

  describe('its gateway', () => itKnowsWhoAsks(() => stack.premises, names.ui));

  describe('from another network namespace', () => {
    it.each(['v4', 'v6'] as const)('has SSH, 80 and 443 of all ports on IP%s', async (family) => {
      const stranger = await stack.premises.cloud.outsider();
      const open = await openPorts(stranger, stack.premises.host.addresses[family]);
      await keep(`ports-${family}.txt`, `${open.join(' ')}\n`);
      expect(open).toEqual([22, 80, 443]);
    });
  });

  describe('in a browser', () => itIsSeenInABrowser(whole, () => given.browser));

  describe('of its secrets', () => itKeepsItsSecrets(whole));

  describe('when somebody kills a part', () => itComesBack(whole));
});
