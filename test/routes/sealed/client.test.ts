import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Status } from '../../../appliance/progress/status.ts';
import { SshClient } from '../../host/delivery/ssh-client.ts';
import { hostNeeds } from '../../host/host-needs.ts';
import { SealedPremises } from '../../host/sealed/sealed-premises.ts';
import { downloads, itComesUp } from '../../host/sealed/sealed-view.ts';
import { landfall } from '../../pty/terminal.ts';
import { workFolder } from '../../simulator/work-folder.ts';
import { singBoxTarball } from '../sing-box/install.ts';
import { type ProxyWay, proxyTypes, throughProxyServer } from './proxy-servers.ts';

const given = hostNeeds('debian13', 'registry', 'composePlugin');

for (const type of proxyTypes) {
  given.describe(
    `a first boot where only ${type} leads out, with proxies imported over SSH`,
    () => {
      let client: SshClient;
      let server: SealedPremises;
      let way: ProxyWay;
      let pushed: { readonly exitCode?: number | undefined; readonly stdout: string };
      let whileWaiting: { readonly status: string; readonly root: number | undefined };
      let status: Status;

      beforeAll(async () => {
        const folder = await mkdtemp(join(await workFolder(), 'client-'));
        client = await SshClient.create(folder);
        server = await SealedPremises.open(
          given,
          async (surroundings) => {
            way = await throughProxyServer(type, surroundings);
            const admin = { ssh_keys: [client.publicKey] };
            return { ...way, site: { ...way.site, admin } };
          },
          { client: await singBoxTarball() },
        );
        await server.premises.host.cloudInit();
        pushed = await push();
        whileWaiting = {
          status: (await ssh('ops', 'landfall status')).stdout,
          root: (await ssh('root', 'true')).exitCode,
        };
        const proxies = join(folder, 'proxies.txt');
        await writeFile(proxies, `${way.link}\n`);
        // The first type in two steps, the others in one.
        if (type === proxyTypes[0])
          await ssh('ops', 'sudo landfall route import -', `${way.link}\n`);
        else pushed = await push('--proxies', proxies);
        status = await server.comeUp().catch(async (error: unknown) => {
          const journal = await server.premises.host.journal('landfall-client@candidate.service');
          throw new Error(`the client said:\n${journal}`, { cause: error });
        });
      });
      afterAll(() => server?.close());

      const push = async (...more: readonly string[]) => {
        const address = `debian@${server.premises.host.addresses.v4}`;
        const words = ['push', address, '--release', server.dist, '--ssh-config', client.config];
        const [program = '', ...args] = [...landfall, ...words, ...more];
        return await execa(program, args, { env: { CI: 'true' }, stdin: 'ignore', reject: false });
      };
      const ssh = async (user: string, command: string, input = '') => {
        const address = `${user}@${server.premises.host.addresses.v4}`;
        const args = ['-F', client.config, '-o', 'BatchMode=yes', address, command];
        return await execa('ssh', args, { input, reject: false });
      };

      it('waits for its proxies with a safe login, and says how to import them', () => {
        expect(whileWaiting.status).toContain('waits for its proxies');
        expect(whileWaiting.status).toContain('sudo landfall route import <file>');
        expect(whileWaiting.root).toBe(255);
      });

      if (type === proxyTypes[0]) {
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
