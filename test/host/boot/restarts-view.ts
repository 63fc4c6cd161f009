import { beforeAll, describe, expect, it } from 'vitest';
import { itSeesClientAddresses } from './client-address-view.ts';
import { chatName, chatUrl, waitForChat } from './first-booted.ts';
import { itExposesOnlyOpenPorts } from './outside-view.ts';
import type { Premises } from './premises.ts';
import { interruptManualRun, itReportsInterruptedRuns } from './status-view.ts';

/** Tests a finished server after a restart of Docker, and after a reboot. */
export function itSurvivesRestarts(premises: () => Premises): void {
  describe('after Docker restarted', () => {
    beforeAll(async () => {
      await premises().host.output('systemctl restart docker');
      await waitForChat(premises());
    });

    // nginx had sent a query to the former Docker, and each of its two workers rejected a request.
    it('serves every request', async () => {
      const request = `curl -sk -o /dev/null -w '%{http_code} ' --resolve ${chatName}:443:127.0.0.1 ${chatUrl}`;
      const loop = `for _ in $(seq 30); do ${request}; sleep 0.4; done`;
      const statuses = (await premises().host.output(loop)).trim().split(' ');
      expect(statuses).toEqual(Array(30).fill('200'));
    });

    itExposesOnlyOpenPorts(premises);
  });

  describe('after a reboot', () => {
    beforeAll(async () => {
      await interruptManualRun(premises());
      await premises().host.reboot();
      await waitForChat(premises());
    });
    itExposesOnlyOpenPorts(premises);

    itSeesClientAddresses(premises, chatName);

    it('starts all containers again after a reboot', async () => {
      const failed = await premises().host.output('systemctl --failed --plain --no-legend');
      expect(failed).toBe('');
      expect(await premises().administrator.fetch(chatUrl)).toMatchObject({ status: 200 });
    });

    itReportsInterruptedRuns(premises);
  });
}
