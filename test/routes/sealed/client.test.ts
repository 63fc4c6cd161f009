import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Status } from '../../../appliance/server/progress/status.ts';
import { hostNeeds } from '../../host/host-needs.ts';
import type { SealedPremises } from '../../host/sealed/sealed-premises.ts';
import { downloads, itComesUp } from '../../host/sealed/sealed-view.ts';
import { behindProxies, comeUp } from './behind-proxies.ts';
import { type ProxyWay, proxyTypes } from './proxy-servers.ts';
import { Pushing } from './pushing.ts';

const given = hostNeeds('debian13', 'registry', 'composePlugin');

for (const type of proxyTypes) {
  given.describe(
    `a first boot where only ${type} leads out, with proxies imported over SSH`,
    () => {
      /** The first type is imported after the push, the others with it. */
      const isSeparate = type === proxyTypes[0];
      let pushing: Pushing;
      let server: SealedPremises;
      let way: ProxyWay;
      let pushed: Awaited<ReturnType<Pushing['push']>>;
      let whileWaiting: { readonly status: string; readonly root: number | undefined };
      let status: Status;

      beforeAll(async () => {
        pushing = await Pushing.open();
        const behind = await behindProxies(given, [type], pushing);
        server = behind.server;
        [way] = behind.ways as [ProxyWay];
        pushed = await pushing.push(server);
        whileWaiting = {
          status: (await pushing.ssh(server, 'ops', 'landfall status')).stdout,
          root: (await pushing.ssh(server, 'root', 'true')).exitCode,
        };
        const command = 'sudo landfall route import -';
        if (isSeparate) await pushing.ssh(server, 'ops', command, `${way.link}\n`);
        else pushed = await pushing.push(server, [way.link]);
        status = await comeUp(server);
      });
      afterAll(() => server?.close());

      it('waits for its proxies with a safe login, and says how to import them', () => {
        expect(whileWaiting.status).toContain('waits for its proxies');
        expect(whileWaiting.status).toContain('sudo landfall route import <file>');
        expect(whileWaiting.root).toBe(255);
      });

      if (isSeparate) {
        it('ends the push meanwhile, and names the next command', () => {
          expect(pushed.exitCode).toBe(75);
          expect(pushed.stdout).toMatch(/ssh ops@\S+ sudo landfall route import - </);
        });
      } else {
        it('gets them with the bundle, and the push ends with the report', () => {
          expect(pushed).toMatchObject({ exitCode: 0 });
          expect(pushed.stdout).toContain('chat.example.com');
        });
      }

      itComesUp(() => ({ server, status }), { hasProxy: true, hosts: downloads });
    },
  );
}
